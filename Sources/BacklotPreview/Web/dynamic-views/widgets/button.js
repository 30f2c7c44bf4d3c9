import { el } from "../../core/element.js";
import { color } from "../style.js";
import { text } from "../values.js";

export function drawButton(widget, pointer, { client }) {
  const button = el("button", { type: "button", class: "button", text: text(widget.text), on: { click: () => client.interact(widget.id) } });
  const [front, back] = [color(widget.foregroundColor), color(widget.backgroundColor)];
  if (front) button.style.setProperty("color", front, "important");
  if (back) button.style.setProperty("background", back);
  return el("div", {}, button);
}
