// The Activity: the application's page in a frame over the chat, and the host's side of the messages of Discord's
// Embedded App SDK. One is open at a time. A message is [opcode, payload]. The frame is the strictest that a client of
// Discord has: of opaque origin, so without cookies, storage and modules by their address
// (docs/decisions/web.md#0148).

import { h, icon } from './elements.js';
import { nameOf } from './people.js';

const PATH = '/activity'; // Discord's URL mapping makes it the root of an origin of its own
const SANDBOX = 'allow-scripts';
const OPAQUE_ORIGIN = 'null';
const HANDSHAKE = 0;
const FRAME = 1;
const CLOSE = 2;
const BAD_CLIENT = 4000; // codes of CLOSE
const BAD_VERSION = 4004;
const INVALID_COMMAND = 4002; // codes of ERROR
const UNKNOWN_EVENT = 4004;
const NOT_AUTHORIZED = 4006;
const BAD_TOKEN = 4009;
const REFUSED = 5000;
const FOCUSED = 0;
const LANDSCAPE = 0;
const PORTRAIT = 1;

// What is told at once to one who subscribes to an event.
const EVENTS = {
  ACTIVITY_LAYOUT_MODE_UPDATE: () => ({ layout_mode: FOCUSED }),
  ORIENTATION_UPDATE: () => ({ screen_orientation: innerWidth > innerHeight ? LANDSCAPE : PORTRAIT }),
};

class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Activity {
  #connection;
  #world;
  #open = null; // {dialog, frame, launched, ready, scopes}

  constructor(connection, world) {
    this.#connection = connection;
    this.#world = world;
    addEventListener('message', (event) => this.#hear(event));
  }

  open(launched) {
    this.#open?.dialog.remove();
    const frame = h('iframe', {
      src: this.#address(launched), title: launched.application.name, allow: 'fullscreen', sandbox: SANDBOX,
    });
    const dialog = h(
      'dialog.activity',
      { 'aria-label': launched.application.name, onclose: () => this.#closed(dialog) },
      h(
        'header',
        {},
        h('h2', {}, launched.application.name),
        h('p.presence', { role: 'status' }),
        h(
          'button.tool',
          { 'aria-label': 'Leave the Activity', title: 'Leave the Activity', onclick: () => dialog.close() },
          icon('close'),
        ),
      ),
      frame,
    );
    this.#open = { dialog, frame, launched, ready: false, scopes: null };
    document.body.append(dialog);
    dialog.showModal();
  }

  #closed(dialog) {
    dialog.remove();
    if (this.#open?.dialog !== dialog) return;
    this.#open = null;
    this.#connection.tell({ t: 'close_activity' });
  }

  #address({ instance, channel }) {
    const guild = this.#world.channels.get(channel)?.guild_id;
    const query = new URLSearchParams({
      frame_id: crypto.randomUUID(),
      instance_id: instance,
      platform: matchMedia('(pointer: coarse)').matches ? 'mobile' : 'desktop',
      channel_id: channel,
      ...(guild ? { guild_id: guild } : {}),
    });
    return `${PATH}?${query}`;
  }

  #post(message) {
    this.#open?.frame.contentWindow?.postMessage(message, '*'); // an opaque origin has no name
  }

  #tell(cmd, nonce, data, evt = null) {
    this.#post([FRAME, { cmd, data, evt, nonce }]);
  }

  async #hear({ source, origin, data }) {
    const open = this.#open;
    if (!open || source !== open.frame.contentWindow || origin !== OPAQUE_ORIGIN || !Array.isArray(data)) return;
    const [opcode, payload] = data;
    if (opcode === HANDSHAKE) this.#greet(payload);
    else if (opcode === CLOSE) open.dialog.close();
    else if (opcode === FRAME) {
      try {
        const told = await this.#answer(open, payload);
        this.#tell(payload.cmd, payload.nonce, told);
        if (payload.cmd === 'SUBSCRIBE') this.#tell('DISPATCH', null, EVENTS[payload.evt](), payload.evt);
      } catch (error) {
        this.#tell(payload.cmd, payload.nonce, { code: error.code ?? REFUSED, message: error.message }, 'ERROR');
      }
    }
  }

  #greet({ v, client_id: client, frame_id: frame }) {
    const { launched, frame: element } = this.#open;
    const known = new URL(element.src).searchParams.get('frame_id');
    if (v !== 1) this.#post([CLOSE, { code: BAD_VERSION, message: 'Invalid Version' }]);
    else if (client !== launched.application.id || frame !== known)
      this.#post([CLOSE, { code: BAD_CLIENT, message: 'Invalid Client ID' }]);
    else {
      this.#open.ready = true;
      const config = { cdn_host: location.host, api_endpoint: `//${location.host}/api`, environment: 'production' };
      this.#tell('DISPATCH', null, { v: 1, config, user: this.#user() }, 'READY');
    }
  }

  async #answer(open, { cmd, args, evt }) {
    if (!open.ready) throw new Refusal(NOT_AUTHORIZED, 'No handshake');
    switch (cmd) {
      case 'AUTHORIZE': {
        const asked = { t: 'authorize', client_id: args.client_id, scope: args.scope };
        return { code: (await this.#connection.ask(asked)).code };
      }
      case 'AUTHENTICATE':
        return await this.#authenticate(open, args.access_token);
      case 'SUBSCRIBE':
      case 'UNSUBSCRIBE':
        if (!EVENTS[evt]) throw new Refusal(UNKNOWN_EVENT, `Invalid event: ${evt}`);
        return { evt };
      case 'USER_SETTINGS_GET_LOCALE':
        this.#require(open, 'identify');
        return { locale: this.#world.me.locale };
      case 'OPEN_EXTERNAL_LINK':
        window.open(args.url, '_blank', 'noopener');
        return { opened: true };
      case 'SET_ACTIVITY':
        this.#require(open, 'rpc.activities.write');
        return this.#present(open, args.activity);
      case 'OPEN_SHARE_MOMENT_DIALOG':
        this.#require(open); // no scope, but a client that has been authenticated
        this.#share(args.mediaUrl);
        return null;
      case 'CAPTURE_LOG':
        return null;
      default:
        throw new Refusal(INVALID_COMMAND, `Invalid command: ${cmd}`);
    }
  }

  #require({ scopes }, scope) {
    if (!scopes || (scope && !scopes.includes(scope))) throw new Refusal(NOT_AUTHORIZED, 'Not authenticated or invalid scope');
  }

  // Shows what the person's profile says of the Activity, beside its name. Returns it as Discord completes it.
  #present({ dialog, launched }, activity) {
    dialog.querySelector('.presence').textContent = [activity?.details, activity?.state].filter(Boolean).join(', ');
    return activity && { type: 0, ...activity, name: launched.application.name, application_id: launched.application.id };
  }

  // Asks where the person wants to share a picture, which has to be on the CDN. Here it only shows the picture.
  #share(media) {
    if (new URL(media).host !== location.host) throw new Refusal(INVALID_COMMAND, 'mediaUrl must be on the CDN');
    const dialog = h(
      'dialog.share',
      { 'aria-label': 'Share this moment', onclose: () => dialog.remove() },
      h('img', { src: media, alt: 'What is shared' }),
      h('button', { type: 'button', onclick: () => dialog.close() }, 'Close'),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  async #authenticate(open, token) {
    const asked = { t: 'authenticate', access_token: token };
    const told = await this.#connection.ask(asked).catch((error) => {
      throw new Refusal(BAD_TOKEN, error.message);
    });
    open.scopes = told.scopes;
    const { id, name, description, icon: picture } = open.launched.application;
    const application = { id, name, description, icon: picture, rpc_origins: [] };
    return { access_token: token, user: this.#user(), scopes: told.scopes, expires: told.expires, application };
  }

  #user() {
    const { id, username, discriminator, avatar } = this.#world.me;
    const user = { id, username, discriminator, global_name: nameOf(this.#world.me), public_flags: 0 };
    return avatar ? { ...user, avatar } : user;
  }
}
