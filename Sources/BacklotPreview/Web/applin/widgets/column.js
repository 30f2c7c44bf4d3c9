import { el } from "../../core/element.js";
import { pixels } from "../texts.js";
import { drawWidgets } from "../widgets.js";

export function drawColumn(node, pointer, context) {
  const align = ["center", "end"].includes(node.align) ? node.align : "start";
  const column = el("div", { class: `column align-${align}` }, drawWidgets(node.widgets, `${pointer}/widgets`, context));
  const spacing = pixels(node.spacing);
  if (spacing) column.style.setProperty("gap", spacing);
  return column;
}
