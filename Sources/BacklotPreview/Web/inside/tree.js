// The page as a tree of its parts.

import { el, fill, icon } from "../core/element.js";

/** The most parts that are listed. */
const MOST = 3000;

export class TreePanel {
  constructor(host, selection) {
    this.title = "Tree";
    this.isLinked = true;
    this.host = host;
    this.selection = selection;
    this.list = el("ul", { class: "tree", role: "tree", "aria-label": "The page's parts" });
    this.element = el("div", { class: "panel" }, this.list);
    this.drawn = null;
    selection.addEventListener("chosen", () => this.choose());
    this.list.addEventListener("keydown", (event) => this.move(event));
  }

  draw() {
    const { document, findings } = this.host.seen;
    if (this.drawn?.document === document && this.drawn.findings === findings) return void this.choose();
    this.drawn = { document, findings };
    if (!document || !this.host.app) return void fill(this.list, el("li", { class: "none", text: "There is no page." }));
    const parts = new Map();
    // Applin's documents have the page in them; those of other protocols are the page, or say themselves what their parts are.
    const waiting = this.host.app.parts?.().toReversed() ?? [document.page ? ["/page", document.page, 0] : ["", document, 0]];
    while (waiting.length > 0 && parts.size < MOST) {
      const [pointer, node, depth] = waiting.pop();
      parts.set(pointer, { node, depth, findings: [] });
      if (depth < 64 && this.host.app.children) for (const [step, child] of this.host.app.children(node).toReversed()) waiting.push([pointer + step, child, depth + 1]);
    }
    // A finding is about the innermost part around its place.
    for (const finding of findings) {
      let at = finding.pointer;
      while (at && !parts.has(at)) at = at.slice(0, at.lastIndexOf("/"));
      parts.get(at)?.findings.push(finding);
    }
    const lines = [...parts].map(([pointer, part]) => this.line(pointer, part));
    if (waiting.length > 0) lines.push(el("li", { class: "none", text: `… and more than ${MOST} are not listed` }));
    fill(this.list, lines);
    this.choose();
  }

  line(pointer, { node, depth, findings: own }) {
    const { typ, label } = this.host.app.describe(node);
    const mark = own.length > 0 ? el("span", { class: `mark ${own.some(({ severity }) => severity === "error") ? "error" : "warning"}`, title: own.map(({ message }) => message).join("\n") }, icon("alert")) : null;
    const line = el("li", {
      role: "treeitem", "aria-level": depth + 1, tabindex: "-1", "data-place": pointer, "aria-selected": "false",
      on: {
        click: () => this.selection.choose(pointer), focus: () => this.selection.mark(pointer),
        pointerenter: () => this.selection.mark(pointer), pointerleave: () => this.selection.mark(null),
      },
    }, el("span", { class: "typ", text: typ }), label ? el("span", { class: "name", text: label.slice(0, 120) }) : null, mark);
    line.style.setProperty("--depth", String(depth));
    return line;
  }

  choose() {
    if (this.element.hidden) return;
    for (const line of this.list.querySelectorAll("[aria-selected=true]")) line.setAttribute("aria-selected", "false");
    const line = place(this.list, this.selection.pointer) ?? this.list.firstElementChild;
    for (const other of this.list.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    if (line) line.tabIndex = 0;
    if (!this.selection.pointer || !line) return;
    line.setAttribute("aria-selected", "true");
    line.scrollIntoView({ block: "nearest" });
  }

  move(event) {
    const line = event.target.closest("li");
    const next = { ArrowDown: line?.nextElementSibling, ArrowUp: line?.previousElementSibling, Home: this.list.firstElementChild, End: this.list.lastElementChild }[event.key];
    if (event.key === "Enter" || event.key === " ") line?.click();
    else if (!next) return;
    event.preventDefault();
    next?.focus();
  }
}

/** The line for a place, or for what stands around it. */
function place(list, pointer) {
  for (let at = pointer; at; at = at.slice(0, at.lastIndexOf("/"))) {
    const found = list.querySelector(`[data-place="${CSS.escape(at)}"]`);
    if (found) return found;
  }
  return null;
}
