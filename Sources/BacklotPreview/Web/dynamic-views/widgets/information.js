import { el, icon } from "../../core/element.js";
import { picture } from "../style.js";
import { text } from "../values.js";

/** A note on a card; one that is hideable can be put away. */
export function drawInformation(widget, pointer, { host, client }) {
  const card = el("div", { class: "information" }, widget.image ? el("span", { class: "sign" }, picture(widget.image, host)) : null,
    el("button", { type: "button", class: "tap", on: { click: () => client.interact(widget.id) } }, el("span", { dir: "auto", text: text(widget.text) })),
    widget.hideable === true && !client.isAndroid ? el("button", { type: "button", class: "close", "aria-label": "Hide", on: { click: () => client.hide(widget.id) } }, icon("close")) : null);
  return el("div", {}, card);
}
