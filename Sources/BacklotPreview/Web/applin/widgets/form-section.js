import { el } from "../../core/element.js";
import { text } from "../texts.js";
import { drawWidgets } from "../widgets.js";
import { grouped } from "./form.js";

export function drawFormSection(node, pointer, context) {
  const title = text(node.title);
  return el("section", { class: "form-section", "aria-label": title || null }, title ? el("h2", { class: "section-title", dir: "auto", text: title }) : null,
    grouped(drawWidgets(node.widgets, `${pointer}/widgets`, context)));
}
