// The page's JSON, line by line, linked with what is drawn.

import { copySwift } from "../core/copy-swift.js";
import { el, fill } from "../core/element.js";

/** The most lines that are shown. */
const MOST = 6000;

export class JSONPanel {
  constructor(host, selection) {
    this.title = "JSON";
    this.host = host;
    this.selection = selection;
    this.code = el("div", { class: "json", role: "group", "aria-label": "The page's JSON" });
    this.said = el("span", { class: "note", role: "status" });
    this.element = el("div", { class: "panel" },
      el("div", { class: "panel-tools", hidden: host.wire !== "applin" },
        el("button", { type: "button", text: "Copy as Swift", title: "The code that makes this page", on: { click: () => this.copy() } }), this.said), this.code);
    this.drawn = null;
    selection.addEventListener("chosen", () => this.choose());
    this.code.addEventListener("click", (event) => {
      const at = event.target.closest("[data-place]");
      if (at && String(getSelection()) === "") this.selection.choose(at.dataset.place);
    });
    this.code.addEventListener("pointerover", (event) => this.selection.mark(event.target.closest("[data-place]")?.dataset.place ?? null));
    this.code.addEventListener("pointerleave", () => this.selection.mark(null));
  }

  draw() {
    const { document, rejected, isOwn } = this.host.seen;
    const key = isOwn && rejected ? rejected : document;
    if (this.drawn === key) return void this.choose();
    this.drawn = key;
    this.said.textContent = "";
    if (isOwn && rejected) {
      // The client shows its error page; the page that it could not show is more interesting.
      let shown = rejected.text;
      try {
        shown = JSON.parse(rejected.text);
      } catch {
        return void fill(this.code, el("p", { class: "note", text: `The client could not read the answer for ${rejected.path}:` }), el("pre", { text: rejected.text.slice(0, 200_000) }));
      }
      fill(this.code, el("p", { class: "note", text: `The client has rejected this page of ${rejected.path}:` }), lines(shown));
    } else {
      fill(this.code, lines(document));
    }
    this.choose();
  }

  async copy() {
    const { document, text, rejected, isOwn } = this.host.seen;
    try {
      this.said.textContent = await copySwift(this.host, (isOwn && rejected ? rejected.text : text) || JSON.stringify(document));
    } catch (error) {
      this.said.textContent = error.message;
    }
  }

  choose() {
    if (this.element.hidden) return;
    for (const line of this.code.querySelectorAll(".chosen")) line.classList.remove("chosen");
    const { pointer } = this.selection;
    if (!pointer) return;
    const found = [...this.code.querySelectorAll("[data-place]")].filter(({ dataset }) => dataset.place === pointer || dataset.place.startsWith(`${pointer}/`));
    for (const line of found) line.classList.add("chosen");
    found[0]?.scrollIntoView({ block: "nearest" });
  }
}

/** A value as lines, each with its place. */
export function lines(root) {
  const found = [];
  const line = (depth, place, ...parts) => {
    const element = el("div", { class: "line", "data-place": place }, parts);
    element.style.setProperty("--depth", String(depth));
    found.push(element);
  };
  const write = (value, place, depth, key, comma) => {
    if (found.length > MOST) return;
    const name = key === null ? [] : [el("span", { class: "key", text: JSON.stringify(key) }), ": "];
    const tail = comma ? "," : "";
    if (value === null || typeof value !== "object") {
      line(depth, place, name, el("span", { class: `value ${value === null ? "null" : typeof value}`, text: JSON.stringify(value) ?? "" }), tail);
      return;
    }
    const isArray = Array.isArray(value);
    const members = isArray ? value.map((element, index) => [index, element]) : Object.entries(value);
    const [open, close] = isArray ? "[]" : "{}";
    if (members.length === 0 || depth > 100) return line(depth, place, name, open + (members.length > 0 ? "…" : "") + close + tail);
    line(depth, place, name, open);
    for (const [index, [step, member]] of members.entries()) {
      write(member, `${place}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1, isArray ? null : step, index < members.length - 1);
    }
    line(depth, place, close + tail);
  };
  write(root ?? null, "", 0, null, false);
  if (found.length > MOST) found.push(el("p", { class: "note", text: `The rest is left out: preview shows ${MOST} lines.` }));
  return found;
}
