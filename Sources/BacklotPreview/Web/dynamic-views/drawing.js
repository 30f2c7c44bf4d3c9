// Draws the document.

import { el, fill, icon } from "../core/element.js";
import { drawWidgets } from "./widgets.js";
import { padding, picture } from "./style.js";

export class Drawing {
  constructor(host, client) {
    this.host = host;
    this.client = client;
    this.element = el("div", { class: "dynamic-views" });
    host.screen.append(this.element);
  }

  draw() {
    const { client, host } = this;
    const { document: shown, error } = client;
    const key = JSON.stringify([client.stored, [...client.hidden], error]);
    if (this.drawn?.shown !== shown || this.drawn.key !== key || !this.element.firstChild) {
      const start = performance.now();
      const scroll = this.element.querySelector(".body")?.scrollTop ?? 0;
      fill(this.element, error ? this.failure(error) : shown ? this.page(shown) : el("article", { class: "page", "aria-label": "Loading" }));
      const body = this.element.querySelector(".body");
      if (body) body.scrollTop = scroll;
      this.drawn = { shown, key };
      this.say();
      performance.measure("draw", { start });
    }
    this.element.querySelector(".page")?.setAttribute("aria-busy", String(client.isBusy));
  }

  page(shown) {
    const configuration = shown.configuration !== null && typeof shown.configuration === "object" ? shown.configuration : {};
    const style = configuration.style === "list" ? "list" : "scroll";
    const widgets = el("div", { class: "widgets" }, drawWidgets(shown.widgets, "/widgets", { host: this.host, client: this.client, depth: 0 }));
    padding(widgets, configuration.padding);
    return el("article", { class: `page ${style}`, "aria-label": "Dynamic View", "data-pointer": "" },
      el("div", { class: "body" }, configuration.image ? el("div", { class: "teaser" }, picture(configuration.image, this.host)) : null, widgets));
  }

  failure(text) {
    return el("article", { class: "page", "aria-label": "Error" }, el("div", { class: "body" }, el("div", { class: "failure", role: "alert" }, icon("alert"),
      el("p", { text: "This view can't be shown." }), el("p", { class: "why", dir: "auto", text }),
      el("button", { type: "button", text: "Try again", on: { click: () => this.client.load() } }))));
  }

  say() {
    const { client } = this;
    const name = client.path.split("/").at(-1).replace(/\.json.*$/, "");
    this.host.shown({
      path: client.path, title: name, document: client.error ? null : client.document, text: client.text ?? "", findings: client.error ? [] : client.findings,
      isOwn: Boolean(client.error), rejected: client.error ? client.rejected : null, stack: [{ path: client.path, title: name }], variables: client.stored, inputs: [],
    });
  }
}
