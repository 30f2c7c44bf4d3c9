import { el } from "../../core/element.js";
import { text } from "../values.js";
import { dress } from "../style.js";

export function drawLabel(component, pointer, { client }) {
  return dress(el("p", { class: "label", dir: "auto", text: text(component.text) }), component, client.defaults);
}
