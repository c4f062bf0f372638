// Commands: what may be typed beside moves, in the reader's language and in English, as the protocol names it.

const ENGLISH = {
  row: 'row', column: 'column', at: 'what is at | what is on | at', last: 'last', score: 'score', board: 'board',
};
const WITH_PLACE = ['row', 'column', 'at'];

const plain = (text) => text.normalize('NFKC').replace(/\p{Cf}/gu, '').toLowerCase().replace(/[?!.,:]+/g, ' ')
  .replace(/[’']/g, "'").trim().replace(/\s+/g, ' ');

export class Commands {
  #phrases = []; // [what, phrase], longer ones first

  // `words` has the phrases of each as `say.NAME`, apart by bars.
  constructor(words) {
    for (const what of Object.keys(ENGLISH)) {
      for (const phrase of `${words[`say.${what}`] ?? ''}|${ENGLISH[what]}`.split('|').map(plain)) {
        if (phrase) this.#phrases.push([what, phrase]);
      }
    }
    this.#phrases.sort(([, a], [, b]) => b.length - a.length);
  }

  // Returns what is to be described, such as `row 12`, or null for a text that is no command.
  read(text) {
    const asked = plain(text);
    for (const [what, phrase] of this.#phrases) {
      if (asked !== phrase && !asked.startsWith(`${phrase} `)) continue;
      const place = asked.slice(phrase.length).trim();
      if (WITH_PLACE.includes(what) === Boolean(place)) return place ? `${what} ${place}` : what;
    }
    return null;
  }
}
