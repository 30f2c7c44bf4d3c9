// The history: each step of a person, each request with its response, each page, and the phone's picture at that time.

import { actionOf, wordsOf } from "./locate.js";

/** The most moments that are remembered, and the most elements of their pictures together. */
const [MOST, MOST_ELEMENTS] = [500, 120_000];

export class History extends EventTarget {
  constructor(host) {
    super();
    this.host = host;
    /** The moments: `{number, time, kind, words, record, action, picture}`. */
    this.moments = [];
    this.last = 0;
    this.picture = null;
    const { screen, exchanges } = host;
    new MutationObserver((changes) => {
      // Marks of the view inside aren't changes.
      if (changes.some(({ attributeName }) => !attributeName || !["data-marked", "data-chosen", "data-finding", "title"].includes(attributeName))) this.picture = null;
    }).observe(screen, { childList: true, subtree: true, characterData: true, attributes: true });
    for (const type of ["click", "input", "change"]) screen.addEventListener(type, (event) => this.done(event), true);
    host.addEventListener("begun", () => this.add({ kind: "start", words: "Begins anew" }));
    host.addEventListener("shown", () => queueMicrotask(() => this.shown()));
    exchanges.addEventListener("add", ({ detail }) => detail.isOwn && this.add({ kind: "request", record: detail }));
    exchanges.addEventListener("change", ({ detail }) => this.responded(detail));
  }

  done(event) {
    const action = actionOf(event, this.host.screen);
    if (!action) return;
    action.isSecret = event.target.type === "password";
    const last = this.moments.at(-1);
    // All typing into one field is one action.
    if (action.do === "enter" && last?.action?.do === "enter" && last.action.pointer === action.pointer && last.action.number === action.number) {
      Object.assign(last, { action, words: wordsOf(action) });
      this.picture = null;
      return void this.dispatchEvent(new Event("change"));
    }
    this.add({ kind: "action", action, words: wordsOf(action) }, event.target);
    this.picture = null;
  }

  shown() {
    const { title, path } = this.host.view;
    this.add({ kind: "page", words: `Shows ${title || path}` });
    this.askLater();
  }

  responded(record) {
    if (!record.isOwn) return;
    this.dispatchEvent(new Event("change"));
    if (!record.isBackground) this.askLater();
  }

  /** After a burst of responses, one request asks for the state. */
  askLater() {
    if (this.host.sessions === "none") return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.askSession(), 300);
  }

  /** The server's state of the client belongs to the last picture. */
  async askSession() {
    const picture = this.moments.at(-1)?.picture;
    const response = await this.host.backend.session({ do: "show", token: this.host.app?.sessionToken }).catch(() => null);
    if (!picture || !response) return;
    picture.session = response.session;
    this.session = response.session;
    this.dispatchEvent(new Event("change"));
  }

  add(moment, tapped = null) {
    this.moments.push({ number: ++this.last, time: new Date(), ...moment, picture: this.take(tapped) });
    if (this.moments.length > MOST) this.moments.shift();
    this.dispatchEvent(new Event("change"));
  }

  /** The phone's current picture. Nothing is copied where nothing has changed. A box that is tapped has changed already when its tap is heard. */
  take(tapped) {
    const { view, screen, app } = this.host;
    if (this.picture && this.picture.view === view) return this.picture;
    const copy = screen.cloneNode(true);
    const fields = (root) => root.querySelectorAll("input, textarea, select");
    const others = fields(copy);
    for (const [index, field] of [...fields(screen)].entries()) {
      const other = others[index];
      if (field.type !== "file") other.value = field.value;
      if (field.type === "checkbox" || field.type === "radio") other.checked = field.checked !== (field === tapped && field.type === "checkbox");
    }
    const scrolls = [...screen.querySelectorAll(".scroll, .body, [data-scrolls]")].map((one) => one.scrollTop);
    this.picture = { view, copy, scrolls, variables: structuredClone(plain(view.variables)), session: this.session, state: app?.state?.() ?? null, size: copy.getElementsByTagName("*").length };
    this.forget();
    return this.picture;
  }

  /** The oldest pictures go where all of them are too large; what was known then stays. */
  forget() {
    let room = MOST_ELEMENTS - this.picture.size;
    const seen = new Set([this.picture]);
    for (const { picture } of this.moments.toReversed()) {
      if (seen.has(picture)) continue;
      seen.add(picture);
      room -= picture.size;
      if (room < 0 && picture.copy) Object.assign(picture, { copy: null, size: 0 });
    }
  }
}

function plain(value) {
  return JSON.parse(JSON.stringify(value ?? {}));
}
