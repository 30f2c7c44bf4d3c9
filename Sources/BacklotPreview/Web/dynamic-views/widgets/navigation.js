import { el, icon } from "../../core/element.js";
import { text } from "../values.js";

/** A row that leads to another view. */
export function drawNavigation(widget, pointer, { client }) {
  return el("div", { class: "line" }, el("button", { type: "button", class: "tap", on: { click: () => client.navigate(widget.resource) } },
    el("span", { class: "words", dir: "auto", text: text(widget.text) }), icon("chevron")));
}
