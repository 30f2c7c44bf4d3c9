import { el, icon } from "../../core/element.js";
import { color, textStyle } from "../style.js";
import { text } from "../values.js";

/** A text; with a disclosure it can be tapped. */
export function drawText(widget, pointer, { client }) {
  const words = el("span", { class: "words", dir: "auto", text: text(widget.text) });
  textStyle(words, widget.textStyle);
  const shade = color(widget.textColor);
  if (shade) words.style.setProperty("color", shade);
  if (widget.showDisclosure !== true) return el("div", { class: "text" }, words);
  return el("div", { class: "text" }, el("button", { type: "button", class: "tap", on: { click: () => client.interact(widget.id) } }, words, icon("chevron")));
}
