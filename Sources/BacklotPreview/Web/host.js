// The shell's services for a protocol's client, and the client's duties.
//
// `start(host)` of a protocol's index.js returns an app with
//
//   launch()             shows the first page; a promise
//   refresh(reason)      shows what the server has now, and keeps the stack and the variables
//   draft(document, text)  shows a document that somebody writes in the place of the one that is shown, until `endDraft()`; returns
//                        `{path, take(findings)}`, and throws where clients can't show it
//   drafts(document)     whether the contents of a mock file can be shown so, too, where they are no page, and the server checks all of
//                        them (else undefined)
//   endDraft()           shows what the server has again
//   restart()            begins anew, as an app that is started for the first time
//   forgetVariables()    (where it has any)
//   sessionToken         names the session, where no cookie does (else undefined)
//   test(steps)          writes the steps as a test in Swift: a text
//   children(node)       what stands in a part of the page, for the tree: [[JSON pointer below the node, part], …]
//   parts()              the lines of the tree, where parts don't stand in each other in the JSON: [[JSON pointer, part, depth], …]; instead
//                        of children
//   describe(node)       names a part in a line: {typ, label}
//   state()              what the client knows, as plain data, to go back to it; `restore(state)` does so, a promise (else undefined: it
//                        begins anew)
//   boundTo              what of "platform" and "tablet" the app answers each in its own way (else undefined)
//   arrange(screen)      lays out a copy of what is drawn, where style sheets alone don't (else undefined)
//   panels               the titles of what the view inside shows, where it is less than all; there is no phone then (else undefined)
//   ownPanels            what the view inside shows of this protocol alone: [{title, element, draw()}, …] (else undefined)
//   file                 the mock file to open first in the editor (else undefined: the one of the page)
//   links(origin)        what opens the page on a phone: [{label, url}], `origin` with its scheme and port
//
// It draws into `host.screen`. Each element that stands for a part of the page's JSON gets `data-pointer`, the JSON pointer of
// that part: so the view inside finds it. Elements that preview adds and phones lack get `data-own`. It calls `host.shown(view)` whenever something else is shown, `host.step(step)` for each
// thing that a person does, and `host.problem(text)` for what the view inside should explain. All that comes from the server is
// drawn as text; URLs go through `host.open` and `host.image`.

import { copyText } from "./core/clipboard.js";
import { el, icon } from "./core/element.js";

export class Host extends EventTarget {
  constructor({ facts, memory, backend, exchanges, phone }) {
    super();
    Object.assign(this, { facts: facts.facts, sessions: facts.sessions, wire: facts.wire, program: facts.program, basePath: facts.basePath, memory, backend, exchanges, phone });
    /** What is shown: `{path, title, document, text, findings, stack, variables}`. */
    this.view = { path: "", title: "", document: null, text: "", findings: [], stack: [], variables: {} };
    /** The moment of Time that the view inside shows: `{view, screen, variables, session}`; null for now. */
    this.then = null;
    this.steps = memory.get("steps") ?? [];
    this.problems = [];
    this.app = null;
  }

  /** The element that holds the drawn page. */
  get screen() {
    return this.phone.screen;
  }

  /** The view that the view inside shows: the current one, or that of a moment of Time. */
  get seen() {
    return this.then?.view ?? this.view;
  }

  /** The element with its drawing. */
  get seenScreen() {
    return this.then?.screen ?? this.screen;
  }

  /** Has the view inside show a moment; null for now. */
  look(then) {
    this.then = then;
    this.dispatchEvent(new Event("looked"));
  }

  /** Asks the server as the client would; see `Exchanges.send`. */
  send(request) {
    return this.exchanges.send(request);
  }

  /** The rules' findings about a page; null if the server can't be reached. */
  inspect(path, text) {
    return this.backend.inspect(path, text);
  }

  /** Says what is shown now. */
  shown(view) {
    this.view = { ...this.view, ...view };
    document.title = `${this.view.title || this.view.path} – Preview`;
    this.dispatchEvent(new Event("shown"));
  }

  /** Notes what a person did. All typing into one field is one step. */
  step(step) {
    const last = this.steps.at(-1);
    if (step.do === "enter" && last?.do === "enter" && last.field === step.field) this.steps.pop();
    if (step.do === "wait" && last?.do === "wait") step.seconds += this.steps.pop().seconds;
    this.steps.push(step);
    if (this.steps.length > 500) this.steps.shift();
    this.memory.set("steps", this.steps);
    this.dispatchEvent(new Event("steps"));
  }

  clearSteps() {
    this.steps = [];
    this.memory.set("steps", undefined);
    this.dispatchEvent(new Event("begun"));
    this.dispatchEvent(new Event("steps"));
  }

  /** Explains in the view inside what went wrong. */
  problem(text) {
    this.problems = [...this.problems.slice(-49), { time: new Date(), text }];
    this.dispatchEvent(new Event("problem"));
  }

  /** Opens a link outside the app, as the platform's browser would: in a window that can't reach this one. */
  open(url) {
    let parsed;
    try {
      parsed = new URL(url, location.origin);
    } catch {
      this.problem(`The link ${url} is no URL.`);
      return false;
    }
    if (!["http:", "https:", "mailto:", "tel:"].includes(parsed.protocol)) {
      this.problem(`The link ${url} is left alone: preview opens http, https, mailto and tel only.`);
      return false;
    }
    window.open(parsed.href, "_blank", "noopener,noreferrer");
    return true;
  }

  /** Makes a picture from a URL. One of another host isn't loaded: the shell asks nobody but its own server. */
  image(url, base = location.origin) {
    let parsed = null;
    try {
      parsed = new URL(url, base);
    } catch {
      // The code below reports it.
    }
    const instead = (text) => el("span", { class: "picture missing", role: "img", "aria-label": text, title: text }, icon("image"));
    if (!parsed || parsed.origin !== location.origin) {
      this.problem(parsed ? `The picture ${url} is on another host. A phone would load it; preview asks no other host.` : `The picture's URL ${url} is none.`);
      return instead(parsed ? "a picture on another host" : "a picture without a proper URL");
    }
    const image = el("img", { class: "picture", src: parsed.href, alt: "picture", decoding: "async", draggable: "false" });
    image.addEventListener("error", () => {
      this.problem(`The picture ${url} can't be loaded.`);
      image.replaceWith(instead("a picture that can't be loaded"));
    });
    return image;
  }

  /** Copies a text, as `copy_to_clipboard` does. Returns false where the browser doesn't let preview do it. */
  async copy(text) {
    this.clipboard = text;
    const isCopied = await copyText(text);
    if (!isCopied) this.problem("The browser doesn't let preview write to its clipboard.");
    return isCopied;
  }

  /** Makes the browser forget the session's cookie. */
  async forgetCookie() {
    if (this.sessions === "cookie") await this.backend.session({ do: "forget" }).catch(() => {});
  }
}
