// Accessibility: the words of a screen reader in their order, and the obstacles on the page.

import { MOST, spoken } from "../access/speech.js";
import { accessFindings, pointerOf } from "../access/rules.js";
import { el, fill } from "../core/element.js";

export class AccessPanel {
  constructor(host, selection) {
    this.title = "Accessibility";
    this.isLinked = true;
    this.host = host;
    this.selection = selection;
    this.findings = el("div", { class: "findings" });
    this.list = el("ol", { class: "speech" });
    this.element = el("div", { class: "panel access" },
      el("p", { class: "note", text: "As preview draws the page. Fonts, sizes and readers of phones differ: try important pages with VoiceOver and TalkBack too." }),
      el("h2", { text: "Findings" }), this.findings, el("h2", { text: "What a screen reader says, in this order" }), this.list);
    host.phone.addEventListener("look", () => this.later());
    this.list.addEventListener("keydown", (event) => this.move(event));
  }

  /** The effects of a change are drawn first. */
  later() {
    cancelAnimationFrame(this.waiting);
    this.waiting = requestAnimationFrame(() => this.isShown && this.draw());
  }

  draw() {
    const { seenScreen, phone, seen } = this.host;
    const parts = spoken(seenScreen);
    const findings = accessFindings(parts, phone, seen.document);
    fill(this.findings, findings.length === 0 ? el("p", { class: "none", text: "Nothing was found." }) : findings.map((finding) => this.finding(finding)));
    const lines = parts.map((part) => this.line(part));
    if (parts.length >= MOST) lines.push(el("li", { class: "none", text: `The rest is left out: ${MOST} parts are read.` }));
    fill(this.list, lines.length > 0 ? lines : el("li", { class: "none", text: "Nothing: the page has no words." }));
    const first = this.list.querySelector("button");
    if (first) first.tabIndex = 0;
  }

  finding({ element, pointer, rule, severity, message, fix }) {
    return el("button", { type: "button", class: `finding ${severity}`, on: this.linked(element, pointer) },
      el("span", { class: "head" }, el("strong", { text: severity }), el("code", { text: rule })), el("span", { text: message }), fix ? el("span", { class: "fix", text: fix }) : null);
  }

  line({ element, role, name, states }) {
    return el("li", {}, el("button", { type: "button", tabindex: "-1", on: this.linked(element, pointerOf(element)) },
      el("span", { class: name === "" ? "name missing" : "name", dir: "auto", text: name === "" ? "(nothing)" : name.slice(0, 300) }),
      role === "text" ? null : el("span", { class: "role", text: [role, ...states].join(", ") })));
  }

  linked(element, pointer) {
    return {
      click: () => pointer !== null && this.selection.choose(pointer),
      pointerenter: () => this.mark(element), pointerleave: () => this.mark(null), focus: () => this.mark(element), blur: () => this.mark(null),
    };
  }

  /** Marks the very part that is spoken, which may stand in a widget with others. */
  mark(element) {
    this.selection.mark(null);
    (element?.closest("label") ?? element)?.setAttribute("data-marked", "");
  }

  move(event) {
    const all = [...this.list.querySelectorAll("button")];
    const at = all.indexOf(event.target);
    const next = { ArrowDown: all[at + 1], ArrowUp: all[at - 1], Home: all[0], End: all.at(-1) }[event.key];
    if (at < 0 || !next) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
