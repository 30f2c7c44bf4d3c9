// Draws the document, and what stands in front of it.

import { el, fill, icon } from "../core/element.js";
import { drawWidgets } from "./widgets.js";
import { drawPassword } from "./password.js";
import { padding, picture } from "./style.js";
import { text } from "./values.js";

export class Drawing {
  constructor(host, client) {
    this.host = host;
    this.client = client;
    this.element = el("div", { class: "dynamic-views" });
    host.screen.append(this.element);
  }

  draw() {
    const { client } = this;
    const { document: shown, error } = client;
    const key = JSON.stringify([client.stored, [...client.hidden], error, client.stack, client.hasDeveloperMode, client.shownDialect]);
    if (this.drawn?.shown !== shown || this.drawn.key !== key || !this.element.firstChild) {
      const start = performance.now();
      const isSame = this.drawn?.path === client.path;
      const scroll = isSame ? this.element.querySelector(".body")?.scrollTop ?? 0 : 0;
      const place = this.layer ? this.opener : this.place();
      fill(this.element, error ? this.failure(error) : shown ? this.page(shown) : el("article", { class: "page", "aria-label": "Loading" }));
      const body = this.element.querySelector(".body");
      if (body) body.scrollTop = scroll;
      if (isSame) this.focus(place);
      this.layer = null;
      this.drawn = { shown, key, path: client.path };
      this.say();
      performance.measure("draw", { start });
    }
    this.element.querySelector(".page")?.setAttribute("aria-busy", String(client.isBusy));
    this.drawLayer();
  }

  // The keyboard's place: the pointer of a part, and the number of the control in it.

  place() {
    const pointer = document.activeElement?.closest(".dynamic-views [data-pointer]")?.dataset.pointer;
    return { pointer, index: this.controls(pointer).indexOf(document.activeElement) };
  }

  focus({ pointer, index }) {
    this.controls(pointer)[index]?.focus({ preventScroll: true });
  }

  controls(pointer) {
    return [...this.element.querySelectorAll(`[data-pointer="${CSS.escape(pointer)}"] :is(button, input, select)`)];
  }

  page(shown) {
    const configuration = shown.configuration !== null && typeof shown.configuration === "object" ? shown.configuration : {};
    const style = configuration.style === "list" ? "list" : "scroll";
    const widgets = el("div", { class: "widgets" }, drawWidgets(shown.widgets, "/widgets", { host: this.host, client: this.client, depth: 0 }));
    padding(widgets, configuration.padding);
    const image = text(configuration.image);
    return el("article", { class: `page ${style}`, "aria-label": "Dynamic View", "data-pointer": "" }, this.bar(),
      el("div", { class: "behind-place" }, image ? el("div", { class: "behind" }, picture(image, this.host)) : null, el("div", { class: "body" }, widgets)));
  }

  /** The bar of a view that navigation has led to. */
  bar() {
    if (this.client.stack.length === 1) return null;
    const back = el("button", { class: "back", type: "button", "aria-label": "Back", on: { click: () => this.client.back() } }, icon("back"), el("span", { text: "Back" }));
    return el("header", { class: "title-bar" }, el("div", { class: "start" }, back), el("h1", { class: "title", text: this.client.name }), el("div", { class: "end" }));
  }

  failure(why) {
    return el("article", { class: "page", "aria-label": "Error" }, this.bar(), el("div", { class: "body" }, el("div", { class: "failure", role: "alert" }, icon("alert"),
      el("p", { text: "This view can't be shown." }), el("p", { class: "why", dir: "auto", text: why }),
      el("button", { type: "button", text: "Try again", on: { click: () => this.client.load() } }))));
  }

  drawLayer() {
    const { client } = this;
    const page = this.element.querySelector(".page");
    page.inert = client.asksForPassword;
    if (client.asksForPassword && !this.layer) {
      this.opener = this.place();
      this.layer = drawPassword(client);
      this.element.append(this.layer);
      this.layer.querySelector("input").focus();
    } else if (!client.asksForPassword && this.layer) {
      this.layer.remove();
      this.layer = null;
      this.focus(this.opener);
    }
  }

  say() {
    const { client } = this;
    this.host.shown({
      path: client.path, title: client.name, document: client.error ? null : client.document, text: client.text ?? "", findings: client.error ? [] : client.findings,
      isOwn: Boolean(client.error), rejected: client.error ? client.rejected : null, stack: client.stack.map((path) => ({ path, title: path })), variables: client.stored, inputs: [],
    });
  }
}
