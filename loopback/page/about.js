// About: the dialog that explains this page and the way to the real Discord.

import { h, icon } from './elements.js';
import { link, markdown } from './markdown.js';
import { nameOf } from './people.js';

export function openAbout(world) {
  const bot = nameOf(world.bot ?? { username: 'The bot' });
  const close = () => dialog.close();
  const dialog = h(
    'dialog.modal.about',
    {
      'aria-labelledby': 'about-title',
      onclose: () => dialog.remove(),
      onclick: (event) => event.target === dialog && close(),
    },
    h(
      'div.about-frame',
      {},
      h(
        'header',
        {},
        h('img', { src: '/page/mark.svg', alt: '', width: 40, height: 40 }),
        h('h2', { id: 'about-title' }, 'A stand-in, not Discord'),
        h('button.tool', { onclick: close, 'aria-label': 'Close' }, icon('close')),
      ),
      h(
        'div.modal-body',
        {},
        h('div.content', {}, markdown(world.notice, world)),
        h(
          'p',
          {},
          `This page and a small server on this machine stand in for Discord, so that you can try ${bot} without an account. The bot itself is the real program: it connects here as it would connect there.`,
        ),
        h('h3', {}, 'Trying it with several people'),
        h(
          'p',
          {},
          'Choose whose seat you take under “You play as”. “Add a person” there gives you up to sixteen, and “Fill the seats” below a tournament or a ladder lets everyone else join it. Two windows can be two people: open this address once more and choose another seat there. Each person’s client has a language of its own, in which they see the commands and what the bot says to them.',
        ),
        world.servers.length > 1 &&
          h(
            'p',
            {},
            'The arrow beside the server’s name leads to a second server, with people of its own, for what servers play with each other.',
          ),
        h('h3', {}, 'Connecting the real Discord'),
        h(
          'ol',
          {},
          h(
            'li',
            {},
            'Make an application in the ',
            link('https://discord.com/developers/applications', ['developer portal']),
            ' and copy the token of its bot. It needs no privileged intent.',
          ),
          h(
            'li',
            {},
            'Invite it to a server with the scopes ',
            h('code', {}, 'bot'),
            ' and ',
            h('code', {}, 'applications.commands'),
            ' and the permissions View Channels, Send Messages, Create Public Threads, Send Messages in Threads, Embed Links, Attach Files and Read Message History. Add Manage Roles, if it is to give roles for the top places of a leaderboard.',
          ),
          h(
            'li',
            {},
            'Write KROPKA_TOKEN= and the token into the file .env where you start the program. Tell Discord the commands once with ',
            h('code', {}, 'kropka sync'),
            ', and start it again. It then speaks with Discord, and this page is not needed.',
          ),
        ),
        h('h3', {}, 'Keys'),
        h(
          'p',
          {},
          h('kbd', {}, '/'),
          ' lists the commands, ',
          h('kbd', {}, '@'),
          ' the people; ',
          h('kbd', {}, 'Tab'),
          ' goes from option to option, ',
          h('kbd', {}, 'Enter'),
          ' sends, ',
          h('kbd', {}, 'Esc'),
          ' steps back.',
        ),
      ),
      h('footer', {}, h('button.button.primary', { onclick: close, autofocus: true }, 'Good')),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
