import { el } from "../../core/element.js";
import { drawWidgets } from "../widgets.js";

export function drawForm(node, pointer, context) {
  return el("div", { class: "form" }, grouped(drawWidgets(node.widgets, `${pointer}/widgets`, context)));
}

/** Rows that follow one another stand on one card, as the platform's settings have them. */
export function grouped(elements) {
  const parts = [];
  let card = null;
  for (const element of elements) {
    if (element.classList.contains("row")) {
      if (!card) parts.push((card = el("div", { class: "card" })));
      card.append(element);
    } else {
      card = null;
      parts.push(element);
    }
  }
  return parts;
}
