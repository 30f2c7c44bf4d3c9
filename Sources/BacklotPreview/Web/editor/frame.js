// The parts around the text in the editor: tools, questions and findings.

import { el, fill } from "../core/element.js";
import { lineOf } from "./draft.js";

/** The most findings that are listed. */
const LISTED = 50;

export class Frame {
  constructor() {
    const button = (text, title, action) => el("button", { type: "button", title, on: { click: () => this.attempt(action) } }, text);
    this.choice = el("select", { "aria-label": "Open", title: "Open a mock file, or the page on the phone", on: { change: () => this.attempt(() => this.choose(this.choice.value)) } });
    this.name = el("input", { type: "text", "aria-label": "The mock file", placeholder: "name.page.json", spellcheck: "false", autocomplete: "off" });
    this.token = el("input", { type: "password", "aria-label": "The token of /__admin", placeholder: "token of /__admin", autocomplete: "off", hidden: true, on: { change: () => this.attempt(() => this.enter()) } });
    this.swift = button("Copy as Swift", "The code that makes this page", () => this.copySwift());
    this.tools = [
      button("Save", "Write the mock file (Ctrl-S)", () => this.save()), button("Draw", "Draw and judge the text now", () => this.redraw(true)),
      button("Share", "Copy a link that holds this text", () => this.share()), this.swift, button("Discard", "Forget the changes, and show what the server has", () => this.discard()),
    ];
    this.notice = el("div", { class: "editor-notice", role: "alert", hidden: true });
    this.place = el("div", { class: "editor-place" });
    this.status = el("p", { class: "editor-status", role: "status" });
    this.list = el("ul", { class: "editor-findings", "aria-label": "Findings in the text" });
    this.meaning = el("p", { class: "editor-meaning" });
    this.element = el("div", { class: "editor" },
      el("div", { class: "panel-tools" }, this.choice, this.name, this.token, this.tools), this.notice, this.place, this.meaning, this.status, this.list);
  }

  async attempt(action) {
    try {
      await action();
    } catch (error) {
      this.say(error.message, true);
    }
  }

  say(text, isBad = false) {
    this.status.textContent = text;
    this.status.classList.toggle("bad", isBad);
  }

  /** Shows what is wrong: `[{start, end, severity, message}]`, without a place where nobody knows one. */
  underline(found) {
    const { text } = this.surface;
    this.surface.mark(found.filter(({ start }) => start !== undefined).map((one) => ({ ...one, text: one.message })));
    fill(this.list, found.slice(0, LISTED).map(({ start, end, severity, message }) => el("li", { class: severity },
      el("button", { type: "button", disabled: start === undefined, on: { click: () => this.surface.select(start, end) } },
        start === undefined ? "" : `${lineOf(text, start)}: `, message))));
    const count = (severity) => found.filter((one) => one.severity === severity).length;
    const [errors, warnings] = [count("error"), count("warning")];
    const words = [errors > 0 ? `${errors} ${errors === 1 ? "error" : "errors"}` : null, warnings > 0 ? `${warnings} ${warnings === 1 ? "warning" : "warnings"}` : null].filter(Boolean);
    this.say([words.length > 0 ? `${words.join(", ")}.` : "Nothing is wrong.", this.isModified ? "Not saved." : ""].join(" ").trim(), errors > 0);
  }

  /** Asks, with a button for each answer; null takes the question away. */
  ask(text, ...responses) {
    this.notice.hidden = text === null;
    const done = (action) => this.attempt(async () => {
      this.ask(null);
      await action?.();
    });
    fill(this.notice, el("span", { text: text ?? "" }), responses.map(([words, action]) => el("button", { type: "button", text: words, on: { click: () => done(action) } })),
      el("button", { type: "button", text: "Close", on: { click: () => done() } }));
  }
}
