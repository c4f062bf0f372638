// Words: the sentences of the reader's language and the colours of their theme.

import { Pauses } from './pauses.js';

// Loads them by `ask`, which fetches, and tries again until they come. `tell` gets a sentence when they do not, or null for the page's own one;
// an answer that will not change, such as one that the session has ended, is told and waited at for ever.
export async function loadWords(ask, tell, pauses = new Pauses()) {
  for (;;) {
    const { words, line, isFinal } = await attempt(ask);
    if (words) return words;
    tell(line);
    await new Promise((resolve) => {
      if (!isFinal) setTimeout(resolve, pauses.next());
    });
  }
}

async function attempt(ask) {
  try {
    const answer = await ask();
    const body = await answer.json();
    if (answer.ok) return { words: body };
    return { line: body.line, isFinal: answer.status < 500 && answer.status !== 429 };
  } catch {
    return { line: null }; // no connection, or something on the way that answers for the server
  }
}
