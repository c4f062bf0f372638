// Studies: the list of those of a player and their servers, or one of them. `site` is how the page reaches the server and
// where its parts are: `post(body)` and `postOwn(body)` resolve with responses, `liveOf(study, chapter)` is the address of
// a socket and `greeting` its first message, if any, `addressOf(study, chapter)` that of a part, to which `go` goes,
// `boardOf(match)` that of a game, `home`, `signIn`, `isFramed`, `load(name)` and `leave(url)` as analysis.js has them, and
// the `signal` that ends the page. `named` says what is shown: the address of a `study`, the `chapter` of it, and the
// `link` that lets one in.

import { showAnalysis } from '../analysis/analysis.js';
import { applyTheme } from '../board/colours.js';
import { Connection } from '../board/connection.js';
import { byId, h, write } from '../board/elements.js';
import { StudyKeeper } from './keeper.js';
import { showList } from './list.js';
import { Panel } from './panel.js';
import { drawPeople } from './people.js';

export async function showStudies(main, told, named, site) {
  const studies = new Studies(main, told, site);
  await (named.study ? studies.open(named) : studies.list());
}

class Studies {
  #main;
  #told;
  #words;
  #site;

  constructor(main, told, site) {
    this.#main = main;
    this.#told = told;
    this.#words = { ...told.words, ...told.says };
    this.#site = site;
  }

  async list() {
    const { addressOf, go, home } = this.#site;
    await showList(this.#main, this.#told, this.#words, {
      ask: (body) => this.#ask(body), ownBoards: () => this.#ownBoards(), addressOf, go, home,
      announce: (line) => write(byId('live'), line),
    });
  }

  async open({ study: code, chapter: wanted, link }) {
    const body = link && this.#told.player ? { do: 'join', link } : { do: 'open' };
    const answer = await this.#ask({ ...body, study: code });
    if (this.#site.signal?.aborted) return; // another page is shown by now
    if (answer.is !== 'done') {
      this.#turnAway(answer.line);
      return;
    }
    const { study } = answer;
    const { chapter } = study.chapters.find((each) => each.chapter === wanted) ?? study.chapters[0];
    this.#site.opened?.(study.study, chapter);
    const loaded = await this.#ask({ do: 'load', study: study.study, chapter });
    if (loaded.is === 'done') await this.#show(study, chapter, loaded.board);
    else this.#turnAway(loaded.line);
  }

  // Resolves with the answer to a message, or with a refusal.
  async #ask(body, post = this.#site.post) {
    try {
      const answer = await post(body);
      const said = await answer.json();
      return answer.ok ? said : { is: 'refused', line: said.line };
    } catch {
      return { is: 'refused', line: this.#words.away };
    }
  }

  // Resolves with the boards of the player's own.
  async #ownBoards() {
    return (await this.#ask({ do: 'list' }, this.#site.postOwn)).boards ?? [];
  }

  #turnAway(line) {
    const { player, sign_in: signIn, theme } = this.#told;
    applyTheme(theme);
    this.#main.replaceChildren(h('h1', { tabindex: -1 }, this.#words.title), h('p', { role: 'alert' }, line),
      ...(signIn && !player ? [h('a.primary', { href: signIn }, this.#words.sign_in)] : []),
      h('a.back', { href: player ? this.#site.addressOf(null) : this.#site.home }, this.#words.leave));
  }

  async #show(study, chapter, board) {
    const { post, addressOf, boardOf, go, greeting, liveOf, isFramed, load, leave, signal } = this.#site;
    const words = this.#words;
    const told = this.#told;
    const connection = told.player ? new Connection(liveOf(study.study, chapter), words.away, { greeting, signal }) : null;
    const keeper = new StudyKeeper(post, told, { study: study.study, chapter, board, role: study.role, connection, isFramed });
    const element = h('div', { id: 'analysis' });
    const panel = new Panel(study, chapter, words, {
      ask: async (body) => this.#ask({ chapter, ...body, study: study.study }),
      ownBoards: () => this.#ownBoards(),
      go: (number) => go(study.study, number),
      leave: () => go(null),
      showTurn: (turn) => analysis.showTurn(turn),
      origin: told.origin,
    });
    this.#main.replaceChildren(element);
    if (told.player) panel.offerChapters(told.rules);
    keeper.addEventListener('people', ({ detail }) => panel.showPeople(detail));
    keeper.addEventListener('stroke', ({ detail }) => panel.noteStroke(detail));
    keeper.addEventListener('study', async () => keeper.lend(await panel.refresh()));
    const people = drawPeople(keeper, panel);
    if (told.player) panel.offerMaking(people.place);
    const says = { ...told.words, title: study.name, private: '' }; // others see it: the panel says who
    const analysis = await showAnalysis(element, { ...told, words: says }, {
      post, keeper, panel: panel.element, signIn: told.sign_in, home: addressOf(null), addressOf: boardOf, drawn: people.drawn, isFramed, load, leave, signal,
    });
  }
}
