// The file that draws each widget. One that can't be drawn becomes a note in its place: what stands around it is drawn all the same.

import { el, icon } from "../core/element.js";
import { readActions } from "./actions.js";
import { drawButton, drawFormButton } from "./widgets/button.js";
import { drawCheckbox } from "./widgets/checkbox.js";
import { drawCheckboxButton } from "./widgets/checkbox-button.js";
import { drawColumn } from "./widgets/column.js";
import { drawForm } from "./widgets/form.js";
import { drawFormSection } from "./widgets/form-section.js";
import { drawGroupedRowTable } from "./widgets/grouped-row-table.js";
import { drawImage } from "./widgets/image.js";
import { drawNavButton } from "./widgets/nav-button.js";
import { drawScroll } from "./widgets/scroll.js";
import { drawSelector } from "./widgets/selector.js";
import { drawErrorText, drawLastErrorText, drawText } from "./widgets/text.js";
import { drawTextfield } from "./widgets/textfield.js";

const drawings = {
  button: drawButton, checkbox: drawCheckbox, checkbox_button: drawCheckboxButton, column: drawColumn,
  empty: () => el("div", { class: "empty" }), error_text: drawErrorText, form: drawForm, form_button: drawFormButton,
  form_section: drawFormSection, grouped_row_table: drawGroupedRowTable, image: drawImage, last_error_text: drawLastErrorText,
  nav_button: drawNavButton, scroll: drawScroll, selector: drawSelector, table: drawGroupedRowTable, text: drawText,
  textfield: drawTextfield,
};

/** The deepest nesting that is drawn. */
const DEPTH = 64;

/** Draws a widget that stands at a place of the page's JSON. */
export function drawWidget(node, pointer, context) {
  const element = attempt(node, pointer, context);
  element.dataset.pointer = pointer;
  return element;
}

function attempt(node, pointer, context) {
  if (node === null || typeof node !== "object" || Array.isArray(node)) return note("This is no widget.");
  if (context.depth > DEPTH) return note("Widgets stand too deep in each other here.");
  if (!Object.hasOwn(drawings, node.typ)) return drawOther(node, pointer, { ...context, depth: context.depth + 1 });
  try {
    return drawings[node.typ](node, pointer, { ...context, depth: context.depth + 1 });
  } catch (error) {
    return note(`This ${node.typ} can't be drawn: ${error.message}`);
  }
}

/** Stands in for a widget that Applin's clients don't know. The contents of a custom widget are drawn. */
function drawOther(node, pointer, context) {
  if (!context.client.ownWidgets.has(node.typ)) return note(`No client knows the widget ${String(node.typ)}.`);
  const inside = node.widget ? [drawWidget(node.widget, `${pointer}/widget`, context)] : drawWidgets(node.widgets, `${pointer}/widgets`, context);
  const actions = readActions(node.actions);
  const name = actions.length === 0 ? el("p", { class: "own-name", text: node.typ })
    : el("button", { class: "own-name", type: "button", text: node.typ, on: { click: () => context.client.tap(actions) } });
  return el("div", { class: "own-widget", title: "A widget of the app's own clients" }, name, inside);
}

/** Draws the widgets in a list. */
export function drawWidgets(nodes, pointer, context) {
  if (!Array.isArray(nodes)) return [];
  return nodes.map((node, index) => drawWidget(node, `${pointer}/${index}`, context));
}

function note(text) {
  return el("p", { class: "undrawable" }, icon("alert"), el("span", { text }));
}
