// Draws the page: its bar, its components, the panels at its sides, and dialogs in front of it.

import { el, fill, icon } from "../core/element.js";
import { drawComponents } from "./components.js";
import { drawBarButtons, drawPanel, panelsOf } from "./components/navigation.js";
import { list, text } from "./values.js";
import { color, inkOn } from "./style.js";
import { arrange } from "./layout.js";

/** How near to an edge a swipe begins, and how far it goes, in pixels. */
const EDGE = 28;
const SWIPE = 40;

export class Drawing {
  constructor(host, client) {
    this.host = host;
    this.client = client;
    this.element = el("div", { class: "xpedite" });
    host.screen.append(this.element);
    this.drawn = null;
    new ResizeObserver(() => this.arrange()).observe(this.element);
    this.listenForSwipes();
  }

  /** A swipe from an edge brings the panel of that side in; a swipe back to the edge takes it away. */
  listenForSwipes() {
    let start = null;
    this.element.addEventListener("pointerdown", ({ clientX, clientY }) => {
      const { left, right } = this.element.getBoundingClientRect();
      start = { x: clientX, y: clientY, side: clientX - left < EDGE ? "left" : right - clientX < EDGE ? "right" : null };
    });
    this.element.addEventListener("pointermove", ({ clientX, clientY, buttons }) => {
      if (!start || buttons === 0) return;
      const [x, y] = [clientX - start.x, clientY - start.y];
      if (Math.abs(x) < SWIPE || Math.abs(x) < Math.abs(y)) return;
      const { client } = this;
      const towards = x > 0 ? "right" : "left";
      const open = client.panel?.implementation?.style === "slidefrom" ? (client.panel.implementation.position === "right" ? "right" : "left") : null;
      if (open === towards) client.panel = null;
      else if (start.side && start.side !== towards && !client.panel && !client.dialog && !client.isBusy) this.openPanel(start.side);
      start = null;
      client.changed();
    });
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, () => (start = null));
  }

  openPanel(side) {
    const panel = panelsOf(list(this.client.packet?.components), this.client)[side];
    if (panel) this.client.panel = panel;
    this.client.changed();
  }

  draw() {
    const { client } = this;
    this.element.toggleAttribute("data-busy", client.isBusy);
    if (client.packet && (this.drawn !== client.packet || this.rows !== this.rowsKey())) this.drawPage();
    if (!client.packet && !this.drawn) fill(this.element, el("article", { class: "page" }, el("p", { class: "nothing", text: "Connecting…" })));
    this.element.querySelector(".page")?.setAttribute("aria-busy", String(client.isBusy || [...client.tables.values()].some(({ isLoading }) => isLoading)));
    this.drawFront();
  }

  rowsKey() {
    return [...this.client.tables].map(([method, { rows, isLoading, error }]) => `${method}:${rows.length}:${isLoading}:${error}`).join();
  }

  drawPage() {
    const { client, host } = this;
    const { packet } = client;
    const isSame = this.drawn === packet;
    const start = performance.now();
    const focus = isSame ? document.activeElement?.dataset?.input : null;
    const scrolls = isSame ? [...this.element.querySelectorAll("[data-scrolls]")].map((one) => one.scrollTop) : [];
    const components = list(packet.components);
    const context = { host, client, redraw: () => this.arrange(), depth: 0, form: "" };
    const title = text(packet.title);
    const bars = drawBarButtons(components, context);
    // Without a title there is no bar, and no button on it.
    const bar = typeof packet.title === "string"
      ? el("header", { class: "title-bar" }, el("div", { class: "start" }, bars.left), el("h1", { class: "title", text: title }), el("div", { class: "end" }, bars.right)) : null;
    const handles = bar ? [] : Object.keys(panelsOf(components, client)).map((side) => el("button", {
      type: "button", class: `edge-handle ${side}`, "aria-label": "Menu", title: "Swipe from the edge", on: { click: () => this.openPanel(side) },
    }));
    this.body = el("div", { class: "body", "data-scrolls": true }, el("div", { class: "components" }, drawComponents(components, "/components", context)));
    const article = el("article", { class: `page ${isSame ? "" : "from-end"}`, "aria-label": title || client.lastCall.method, "data-pointer": "" }, bar, this.body, handles);
    const dialogs = [...this.body.querySelectorAll(".xform.dialog")];
    if (dialogs.length > 0) {
      for (const behind of [bar, this.body]) if (behind) behind.inert = true;
      article.append(el("div", { class: "form-layer" }, dialogs));
    }
    const background = color(packet.background) ?? null;
    if (background) {
      article.style.setProperty("--back", background);
      article.style.setProperty("--ink", inkOn(background));
      article.classList.add("coloured");
    }
    fill(this.element, article);
    this.arrange();
    for (const [index, one] of [...this.element.querySelectorAll("[data-scrolls]")].entries()) one.scrollTop = scrolls[index] ?? 0;
    const wanted = focus ? `[data-input="${CSS.escape(focus)}"]` : isSame ? null : "[data-focus]";
    if (wanted) this.element.querySelector(wanted)?.focus({ preventScroll: true });
    if (!isSame) this.say();
    this.drawn = packet;
    this.rows = this.rowsKey();
    this.front = undefined;
    performance.measure("draw", { start });
  }

  arrange() {
    const place = this.body?.querySelector(".components");
    if (place?.isConnected) arrange(place, { width: this.element.clientWidth, height: this.element.clientHeight });
  }

  /** Lays out a copy of what is drawn, on a screen of another size. */
  arrangeCopy(screen) {
    const [element, place] = [screen.querySelector(".xpedite"), screen.querySelector(".xpedite .body .components")];
    if (place) arrange(place, { width: element.clientWidth, height: element.clientHeight });
  }

  /** Draws what stands in front of the page: a panel, or a dialog. */
  drawFront() {
    const front = this.client.dialog ?? this.client.panel ?? null;
    if (front === this.front) return;
    this.front = front;
    this.element.querySelector(".layer")?.remove();
    const page = this.element.querySelector(".page");
    if (page) page.inert = front !== null;
    if (front === null) {
      this.opener?.focus({ preventScroll: true });
      this.opener = null;
      return;
    }
    // The focus goes back to where it was before the layer.
    if (page?.contains(document.activeElement)) this.opener ??= document.activeElement;
    this.element.append(this.client.dialog ? this.drawDialog(front) : drawPanel(front, { host: this.host, client: this.client }));
    this.element.querySelector(".layer button")?.focus({ preventScroll: true });
  }

  drawDialog({ title, text: words }) {
    const close = () => {
      this.client.dialog = null;
      this.client.changed();
    };
    return el("div", { class: "layer" }, el("div", { class: "modal", role: "alertdialog", "aria-modal": "true", "aria-label": title },
      el("div", { class: "words" }, el("h2", {}, icon("alert"), title), el("p", { dir: "auto", text: words })),
      el("div", { class: "buttons" }, el("button", { type: "button", text: "OK", on: { click: close } }))));
  }

  /** Tells the shell what is shown. */
  say() {
    const { client } = this;
    this.host.shown({
      path: client.lastCall.method, title: text(client.packet.title), document: client.packet, text: JSON.stringify(client.packet), findings: client.findings, isOwn: false,
      stack: [{ path: client.lastCall.method, title: text(client.packet.title) }], variables: client.formData(), inputs: [],
    });
  }
}
