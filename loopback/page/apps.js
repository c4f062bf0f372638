// Apps: the application's commands on a message and on its author, which Discord shows in their context menus.

import { h } from './elements.js';
import { nameOf } from './people.js';

const USER = 2;
const MESSAGE = 3;

// The menu of a message, which opens at once; `use` gets the chosen command and the id that it is used on.
export function openApps(message, world, use) {
  const group = (title, type, target) => {
    const menus = world.menus.filter((menu) => menu.type === type);
    const choose = (menu) => {
      dialog.close();
      use(menu, target);
    };
    return menus.length > 0 && [
      h('h3', {}, title),
      menus.map((menu) => h('button.menu-choice', { onclick: () => choose(menu) }, menu.label)),
    ];
  };
  const dialog = h(
    'dialog.menu',
    { 'aria-label': 'Apps' },
    group('Message', MESSAGE, message.id),
    group(nameOf(message.author, message.member), USER, message.author.id),
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close()); // beside the menu
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
