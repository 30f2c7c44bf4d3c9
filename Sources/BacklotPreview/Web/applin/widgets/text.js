import { el } from "../../core/element.js";
import { text } from "../texts.js";

export function drawText(node) {
  return el("p", { class: "text row", dir: "auto", text: text(node.text) });
}
