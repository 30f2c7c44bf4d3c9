import { el, icon } from "../../core/element.js";
import { text } from "../values.js";

export function drawNavigation(widget, pointer, { client }) {
  return el("div", { class: "line" }, el("button", { type: "button", class: "tap", on: { click: () => client.interact(widget.id) } },
    el("span", { class: "words", dir: "auto", text: text(widget.text) }), icon("chevron")));
}
