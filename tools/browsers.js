// Browsers: what the pages use that the oldest browsers lack for which they are made, by MDN's browser-compat-data:
//     node tools/browsers.js [FOLDER...]
// Each finding is a line FILE:LINE: FEATURE, WHO LACKS IT. A member of an object is known by its name alone, so one that any
// interface has had for long enough passes. What is asked for first passes, too: `x.member?.()`, an @supports, and a
// declaration that an older one of the same property precedes. docs/decisions/web.md#0233

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compat from '@mdn/browser-compat-data' with { type: 'json' };
import { parse } from 'acorn';
import { ancestor, simple } from 'acorn-walk';
import * as css from 'css-tree';

const SYNTAX = 2022; // the newest ECMAScript whose syntax all of them take

// The oldest versions: of what players see, and of the chat page of the try-out. docs/faq.md names them.
const OLDEST = {
  'web': { safari: 16.4, safari_ios: 16.4, chrome: 111, chrome_android: 111, firefox: 121, firefox_android: 121 },
  'loopback/page': { safari: 17, safari_ios: 17, chrome: 114, chrome_android: 114, firefox: 125, firefox_android: 125 },
};

// What the pages do without where it is lacking.
const SPARED = new Set([
  'ClipboardItem', // a picture that cannot be copied can be saved
  '::selection', // what is selected looks as elsewhere
  'cursor', // phones have none
  'field-sizing', // a field has its usual width
  'overflow-anchor', // a list of messages that grows above is held by its script
  'resize', // a phone has no corner to pull
  'scrollbar-color', // a scroll bar looks like others of the system
  'scrollbar-width',
  'text-wrap', // the lines of a heading are of different lengths
  'wasDiscarded', // a page that was dropped shows the way to the next game
  ':popover-open', // board.css has the menu's parts in the panel then
]);

const isFeature = (value) => Boolean(value?.__compat);

// Yields all features of a part of the data by their names, at any depth.
function* features(tree) {
  for (const [name, value] of Object.entries(tree)) {
    if (name === '__compat' || typeof value !== 'object') continue;
    if (isFeature(value)) yield [name, value];
    yield* features(value);
  }
}

function group(entries) {
  const groups = new Map();
  for (const [name, value] of entries) groups.set(name, [...(groups.get(name) ?? []), value]);
  return groups;
}

const BUILTINS = compat.javascript.builtins;
// What the pages have objects of. Members of others would be taken for the pages' own, which have the same names.
const KNOWN = {
  api: [
    'AbortController', 'AbortSignal', 'CSSStyleSheet', 'Document', 'Element', 'Event', 'EventTarget', 'HTMLDialogElement',
    'HTMLElement', 'HTMLInputElement', 'HTMLSelectElement', 'HTMLTextAreaElement', 'Node', 'PointerEvent', 'Response',
    'SVGElement', 'URL', 'URLSearchParams', 'WebSocket',
  ],
  builtins: ['Array', 'Iterator', 'Map', 'Set', 'String'],
};
const MEMBERS = group(
  [...KNOWN.api.map((name) => compat.api[name]), ...KNOWN.builtins.map((name) => BUILTINS[name])]
    .flatMap((each) => Object.entries(each)).filter(([, value]) => isFeature(value)),
);
const FUNCTIONS = group([...features(compat.css.types)]);
const { 'at-rules': AT_RULES, properties: PROPERTIES, selectors: SELECTORS } = compat.css;
const DYNAMIC_UNITS = compat.css.types.length.viewport_percentage_units_dynamic;
const LOOKBEHIND = compat.javascript.regular_expressions.lookbehind_assertion;

const number = (version) => Number.parseFloat(version.replace('≤', ''));

// Whether a browser has a feature: without a flag, and under its own name.
function has({ __compat: { support } }, browser, version) {
  const statements = [support[browser] ?? []].flat();
  return statements.some(({ version_added: since, version_removed: until, prefix, alternative_name: other, flags }) =>
    typeof since === 'string' && number(since) <= version && !(until && number(until) <= version) && !prefix && !other && !flags);
}

// Returns the browsers that lack all of several features of the same name.
function lacking(same, oldest) {
  return Object.entries(oldest).filter(([browser, version]) => !same.some((each) => has(each, browser, version)))
    .map(([browser, version]) => `${browser} ${version}`);
}

// Yields [line, name, features of this name] of what a script uses.
function* inScript(text) {
  const found = [];
  const own = new Set(); // what the script itself imports or declares
  const note = (node, name, same) => found.push([node.loc.start.line, name, same]);
  const globalOf = ({ type, name }) => (type === 'Identifier' && !own.has(name) ? compat.api[name] ?? BUILTINS[name] : undefined);
  const isAskedFor = (above) => above.at(-2)?.type === 'CallExpression' && above.at(-2).optional;
  const root = parse(text, { ecmaVersion: SYNTAX, sourceType: 'module', locations: true });
  simple(root, {
    ImportDeclaration: ({ specifiers }) => specifiers.forEach(({ local }) => own.add(local.name)),
    Class: ({ id }) => id && own.add(id.name),
  });
  ancestor(root, {
    MemberExpression(node, _, above) {
      const { object, property: { name, type } } = node;
      const global = globalOf(object);
      const same = global ? [global[`${name}_static`] ?? global[name]].filter(isFeature) : MEMBERS.get(name);
      if (type === 'Identifier' && !node.computed && same?.length && !isAskedFor(above)) note(node, name, same);
    },
    Identifier(node) {
      if (isFeature(globalOf(node))) note(node, node.name, [globalOf(node)]);
    },
    Literal(node) {
      if (/\(\?<[=!]/.test(node.raw)) note(node, 'lookbehind', [LOOKBEHIND]);
    },
    TemplateElement(node) {
      if (/\(\?<[=!]/.test(node.value.raw)) note(node, 'lookbehind', [LOOKBEHIND]);
    },
  });
  yield* found;
}

// Yields the same of a style sheet.
function* inStyles(text) {
  const found = [];
  const note = (node, name, ...same) => same.every(isFeature) && same.length && found.push([node.loc.start.line, name, same]);
  const isGuarded = ({ atrule }) => atrule?.name === 'supports';

  function look(node, property) {
    if (node.type === 'Identifier') note(node, `${property.name}: ${node.name}`, property.feature?.[node.name]);
    else if (node.type === 'Function') note(node, `${node.name}()`, ...(FUNCTIONS.get(node.name) ?? []));
    else if (node.type === 'Dimension' && /^[dsl]v(?:[hwib]|min|max)$/.test(node.unit)) note(node, node.unit, DYNAMIC_UNITS);
    else if (node.type === 'Operator' && node.value === '/' && property.name === 'content') {
      note(node, 'content: … / …', PROPERTIES.content.alt_text);
    }
  }

  function declare(node, known) {
    const property = { name: node.property, feature: PROPERTIES[node.property] };
    if (known.has(`-webkit-${property.name}`)) return;
    note(node, property.name, property.feature);
    if (known.has(property.name)) return;
    known.add(property.name);
    css.walk(node.value, (part) => look(part, property));
  }

  css.walk(css.parse(text, { positions: true }), {
    enter(node) {
      if (isGuarded(this)) return;
      if (node.type === 'Block') {
        const known = new Set();
        for (const each of node.children) {
          if (each.type === 'Declaration' && each.property.startsWith('-')) known.add(each.property);
          else if (each.type === 'Declaration') declare(each, known);
        }
      } else if (node.type === 'Atrule') note(node, `@${node.name}`, AT_RULES[node.name]);
      else if (node.type === 'Feature') note(node, node.name, AT_RULES.media[node.name]);
      else if (node.type === 'PseudoClassSelector') note(node, `:${node.name}`, SELECTORS[node.name]);
      else if (node.type === 'PseudoElementSelector') note(node, `::${node.name}`, SELECTORS[node.name]);
    },
  });
  yield* found;
}

const KINDS = { js: inScript, css: inStyles };

// Yields a line for each thing in a folder's files that a browser lacks.
function* findings(folder, oldest) {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const look = KINDS[path.split('.').at(-1)];
    if (!look) continue;
    const file = join(folder, path);
    for (const [line, name, same] of look(readFileSync(file, 'utf8'))) {
      const without = lacking(same, oldest);
      if (without.length && !SPARED.has(name.split(': ')[0])) yield `${file}:${line}: ${name}, not in ${without.join(', ')}`;
    }
  }
}

const folders = process.argv.slice(2);
const asked = folders.length ? folders.map((folder) => [folder, OLDEST.web]) : Object.entries(OLDEST);
const found = [...new Set(asked.flatMap(([folder, oldest]) => [...findings(folder, oldest)]))];
process.stdout.write(found.map((line) => `${line}\n`).join(''));
process.exitCode = found.length ? 1 : 0;
