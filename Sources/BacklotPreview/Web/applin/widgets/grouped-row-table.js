import { el } from "../../core/element.js";
import { pixels } from "../texts.js";
import { drawWidget } from "../widgets.js";

export function drawGroupedRowTable(node, pointer, context) {
  const table = el("table", { class: "grouped-row-table" });
  const spacing = pixels(node.spacing);
  if (spacing) table.style.setProperty("--spacing", spacing);
  for (const [group, rows] of list(node.row_groups)) {
    const body = el("tbody");
    for (const [row, cells] of list(rows)) {
      body.append(el("tr", {}, [...list(cells)].map(([cell, child]) =>
        el("td", {}, child === null ? null : drawWidget(child, `${pointer}/row_groups/${group}/${row}/${cell}`, context)))));
    }
    table.append(body);
  }
  return el("div", { class: "table-place row" }, table);
}

function list(value) {
  return Array.isArray(value) ? value.entries() : [];
}
