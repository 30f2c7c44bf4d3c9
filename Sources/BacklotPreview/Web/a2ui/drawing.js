// Draws the surfaces, one below the other, and an open modal in front of them.

import { el, icon } from "../core/element.js";
import { morph } from "../core/morph.js";
import { ComponentNode } from "./node.js";

/** Gives an element the surface's colour. */
const themed = ({ creation }, element) => element.style.setProperty("--accent", /^#[0-9a-f]{6}$/i.exec(creation.theme?.primaryColor)?.[0] ?? "") ?? element;

export class Drawing {
  constructor(host, client) {
    // `count` is the number of drawn nodes, and `modal` the node of the open one.
    Object.assign(this, { host, client, element: el("div", { class: "a2ui" }) });
    host.screen.append(this.element);
    this.element.addEventListener("keydown", ({ key }) => key === "Escape" && this.modal && this.open(null));
  }

  draw() {
    const { error, surfaces, title, isBusy } = this.client;
    Object.assign(this, { count: 0, modal: null });
    const parts = error ? this.failure(error) : [...surfaces.all.values()].map((surface) => this.surface(surface));
    const page = el("article", { class: "page", "aria-label": title, "aria-busy": String(isBusy), "data-pointer": "", inert: this.modal !== null }, el("div", { class: "body" }, parts));
    morph(this.element, el("div", { class: "a2ui" }, page, this.modal && this.layer(this.modal)));
  }

  surface(surface) {
    return themed(surface, el("section", { class: "surface", "aria-label": surface.id, "data-key": surface.id }, new ComponentNode(this, surface, "root").draw()));
  }

  /** Notes a tap: the words of what was tapped, and its number among those with the same words. */
  tapped(target) {
    const label = (one) => one.getAttribute("aria-label") ?? one.innerText.trim();
    const all = [...this.element.querySelectorAll(`${this.modal ? ".layer" : ".page"} :is(.Button, button.Modal, [role=tab])`)].filter((one) => label(one) === label(target));
    this.host.step({ do: "tap", label: label(target), number: all.indexOf(target) + 1 });
  }

  /** Opens the modal of a node; null closes it. */
  open(node) {
    if (!node) this.host.step({ do: "back" });
    const former = this.modal?.key;
    this.client.modal = node?.key;
    this.client.onChange();
    const place = node ? ".modal" : `[data-key="${CSS.escape(`${former} Modal`)}"]`;
    (this.element.querySelector(`${place} :is(button, input, [tabindex])`) ?? this.element.querySelector(place))?.focus();
  }

  layer(node) {
    const close = Object.assign(el("button", { type: "button", class: "close", "aria-label": "Close" }, icon("close")), { onclick: () => this.open(null) });
    const modal = el("div", { class: "modal", role: "dialog", "aria-modal": "true", "aria-label": "Modal" }, close, node.child(node.json.content, "content"));
    return Object.assign(themed(node.surface, el("div", { class: "layer", "data-key": node.key }, modal)), { onclick: ({ target }) => target.matches(".layer") && this.open(null) });
  }

  failure(why) {
    return el("div", { class: "failure", role: "alert" }, icon("alert"), el("p", { text: "This page can't be shown." }), el("p", { class: "why", dir: "auto", text: why }),
      Object.assign(el("button", { type: "button", class: "Button", text: "Try again" }), { onclick: () => this.client.load() }));
  }
}
