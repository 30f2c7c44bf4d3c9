// The steps so far, as a test.

import { el } from "../core/element.js";

export class TestPanel {
  constructor(host) {
    this.title = "Test";
    this.host = host;
    this.code = el("pre", { class: "test-code", tabindex: "0", "aria-label": "The test" });
    this.copy = el("button", { type: "button", text: "Copy as test", on: { click: () => this.host.copy(this.code.textContent) } });
    this.element = el("div", { class: "panel" },
      el("div", { class: "panel-tools" }, this.copy, el("button", { type: "button", text: "Begin here", title: "Forget the steps so far: begins anew at the first page", on: { click: () => host.app?.restart() } })), this.code);
    host.addEventListener("steps", () => this.isShown && this.draw());
  }

  draw() {
    this.code.textContent = this.host.app?.test(this.host.steps) ?? "";
  }
}
