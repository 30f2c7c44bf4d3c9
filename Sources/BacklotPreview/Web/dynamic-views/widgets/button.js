import { el } from "../../core/element.js";
import { color, readable } from "../style.js";
import { text } from "../values.js";

export function drawButton(widget, pointer, { client }) {
  const button = el("button", { type: "button", class: "button", text: text(widget.text), on: { click: () => client.interact(widget.id) } });
  const back = color(widget.backgroundColor);
  const front = color(widget.foregroundColor) ?? (back ? readable(widget.backgroundColor) : null);
  if (front) button.style.setProperty("color", front, "important");
  if (back) button.style.setProperty("background", back);
  return el("div", {}, button);
}
