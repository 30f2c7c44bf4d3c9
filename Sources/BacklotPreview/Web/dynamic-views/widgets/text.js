import { el, icon } from "../../core/element.js";
import { color, textStyle } from "../style.js";
import { text } from "../values.js";

/** A text, which can be tapped, with a disclosure and without. */
export function drawText(widget, pointer, { client }) {
  const words = el("span", { class: "words", dir: "auto", text: text(widget.text) });
  textStyle(words, widget.textStyle);
  const shade = color(widget.textColor);
  if (shade) words.style.setProperty("color", shade);
  return el("div", { class: "text" }, el("button", { type: "button", class: "tap", on: { click: () => client.interact(widget.id) } }, words,
    widget.showDisclosure === true ? icon("chevron") : null));
}
