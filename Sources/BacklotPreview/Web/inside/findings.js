// The findings of the protocol's rules about the page.

import { el, fill } from "../core/element.js";

const OWN = "The client shows a page of its own. The response that led to it is in the Log.";

export class FindingPanel {
  constructor(host, selection) {
    this.title = "Findings";
    this.isLinked = true;
    this.host = host;
    this.selection = selection;
    this.count = el("span", { class: "count" });
    this.element = el("div", { class: "panel findings" });
  }

  get findings() {
    const { findings, rejected, isOwn } = this.host.seen;
    return isOwn && rejected ? rejected.findings : findings;
  }

  update() {
    const { length } = this.findings;
    this.count.textContent = length > 0 ? String(length) : "";
    this.count.classList.toggle("error", this.findings.some(({ severity }) => severity === "error"));
  }

  /** The lines above the findings. */
  get introduction() {
    const { rejected, isOwn } = this.host.seen;
    const isEmpty = this.findings.length === 0;
    if (isOwn && rejected) {
      if (!isEmpty) return el("p", { class: "note", text: `Clients reject the page of ${rejected.path} and show an error instead.` });
      return [el("p", { class: "note", text: `The response for ${rejected.path} isn't a page:` }), el("pre", { text: rejected.text.slice(0, 20_000) })];
    }
    return isEmpty ? el("p", { class: "none", text: isOwn ? OWN : "The rules have nothing to say about this page." }) : null;
  }

  draw() {
    fill(this.element,
      this.introduction,
      this.findings.map((finding) => el("button", {
        type: "button", class: `finding ${finding.severity}`,
        on: { click: () => this.selection.choose(finding.pointer), pointerenter: () => this.selection.mark(finding.pointer), pointerleave: () => this.selection.mark(null) },
      },
      el("span", { class: "head" }, el("strong", { text: finding.rejects ? "error, clients reject the page" : finding.severity }), el("code", { text: finding.rule })),
      finding.place ? el("span", { class: "where", text: finding.place }) : null,
      el("span", { text: finding.message }), el("span", { class: "fix", text: finding.fix }))));
  }
}
