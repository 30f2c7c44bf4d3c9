import { el } from "../../core/element.js";
import { text } from "../values.js";
import { drawWidgets } from "../widgets.js";

/** Widgets below a header. Developers' widgets have a separate header. */
export function drawSection(widget, pointer, context) {
  const header = widget.type === "developerMode" ? "Developer" : text(widget.header);
  return el("section", { class: "section", "aria-label": header || null }, header ? el("h2", { class: "section-title", dir: "auto", text: header }) : null,
    el("div", { class: "card" }, drawWidgets(widget.items, `${pointer}/items`, context)));
}
