// What TypeScript doesn't know of the pages' DOM.

// A page knows of which kind its elements with ids are.
interface Document {
  getElementById(id: string): any;
}

// The pages have no elements but those of HTML and SVG, which can have the focus and data.
interface Element extends HTMLOrSVGElement {}

// The modules' own targets send CustomEvents.
interface EventTarget {
  addEventListener(type: string, listener: (event: CustomEvent) => void, options?: AddEventListenerOptions): void;
}

// A mention of a command that is clicked: loopback/page/markdown.js.
interface DocumentEventMap {
  command: CustomEvent<string[]>;
}

// Whether a browser had dropped the page and has loaded it anew.
interface Document {
  wasDiscarded?: boolean;
}

// What a client has put into the page of its Mini App.
interface Window {
  TelegramWebviewProxy?: { postEvent(type: string, data: string): void };
}
interface External {
  notify(message: string): void;
}
