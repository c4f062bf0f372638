// Host of a Mini App: the page's side of the messages between it and the Telegram client that shows it, in a frame or as a
// page of its own. Source: https://core.telegram.org/api/web-events. docs/decisions/platforms.md says why Telegram's own
// script isn't loaded.

const WEB = 'https://web.telegram.org'; // the only client that shows the page in a frame
const KEPT = 'kropka-app'; // where the window keeps the launch, so that a reload goes on
const SIDES = ['top', 'right', 'bottom', 'left'];

export class AppHost {
  canShare = false;
  #launch; // {data, token}: what Telegram has signed, and the session that was got for it
  #covered = {}; // by event, what of the page the client covers

  // Returns the host of what Telegram has put behind the # of the address, or the window has kept; null without either.
  static find() {
    const data = new URLSearchParams(location.hash.slice(1)).get('tgWebAppData');
    const launch = data ? { data } : JSON.parse(kept.read() ?? 'null');
    if (data) history.replaceState(null, '', location.pathname + location.search);
    return launch && new AppHost(launch);
  }

  constructor(launch) {
    this.#launch = launch;
    const receive = (type, data) => this.#hear(type, data);
    Object.assign(window, {
      Telegram: { WebView: { receiveEvent: receive } },
      TelegramGameProxy: { receiveEvent: receive },
      TelegramGameProxy_receiveEvent: receive,
    });
    addEventListener('message', ({ source, origin, data }) => {
      if (source !== window.parent || origin !== WEB || typeof data !== 'string') return;
      const { eventType, eventData } = JSON.parse(data);
      receive(eventType, eventData);
    });
    this.#post('web_app_ready');
    this.#post('web_app_expand');
    this.#post('web_app_setup_swipe_behavior', { allow_vertical_swipe: false }); // a board is dragged
    this.#post('web_app_request_safe_area');
    this.#post('web_app_request_content_safe_area');
  }

  // Resolves with the session, which `ask(path, body)` gets for the signed data once.
  async enter(ask) {
    const { data, token } = this.#launch;
    if (token) return { token, here: null, match: null, link: null };
    const told = await ask('/app/enter', { data, wanted: new URLSearchParams(location.search).get('board') });
    this.#launch = { data, token: told.token };
    kept.write(JSON.stringify(this.#launch));
    return told;
  }

  // Has the client show its way back where an address of the frame isn't the home, and take the colours of the page.
  show(address) {
    this.#post('web_app_setup_back_button', { is_visible: !['', '#home'].includes(address) });
    const color = hexOf(getComputedStyle(document.documentElement).backgroundColor);
    if (color) for (const part of ['header', 'background', 'bottom_bar']) this.#post(`web_app_set_${part}_color`, { color });
  }

  // Opens an address outside.
  async openLink(url) {
    const { host, pathname, search } = new URL(url);
    if (host === 't.me') this.#post('web_app_open_tg_link', { path_full: pathname + search });
    else this.#post('web_app_open_link', { url });
  }

  #post(eventType, eventData = {}) {
    const { TelegramWebviewProxy: proxy, external, parent } = window;
    if (proxy) proxy.postEvent(eventType, JSON.stringify(eventData));
    else if (external && 'notify' in external) external.notify(JSON.stringify({ eventType, eventData }));
    else if (parent !== window) parent.postMessage(JSON.stringify({ eventType, eventData }), WEB);
  }

  #hear(type, data) {
    if (type === 'back_button_pressed') location.hash = '#home';
    else if (['safe_area_changed', 'content_safe_area_changed'].includes(type)) this.#cover(type, data);
  }

  // Says to the styles how much of the page the client covers: they have Discord's names for that.
  #cover(type, sides) {
    this.#covered[type] = sides;
    for (const side of SIDES) {
      const pixels = Object.values(this.#covered).reduce((sum, each) => sum + (Number(each?.[side]) || 0), 0);
      document.documentElement.style.setProperty(`--discord-safe-area-inset-${side}`, `${pixels}px`);
    }
  }
}

// What the window keeps until it is closed. A frame may not keep anything.
const kept = {
  read() {
    try {
      return sessionStorage.getItem(KEPT);
    } catch {
      return null;
    }
  },
  write(text) {
    try {
      sessionStorage.setItem(KEPT, text);
    } catch {
      // a reload says that the page has to be opened again
    }
  },
};

// Returns a colour of CSS as the client takes it; null for one that can be seen through.
function hexOf(color) {
  const [red, green, blue, alpha] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (blue === undefined || alpha === 0) return null;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
