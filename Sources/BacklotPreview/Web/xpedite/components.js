// The file that draws each component.

import { el, icon } from "../core/element.js";
import { drawButton } from "./components/button.js";
import { drawForm } from "./components/form.js";
import { drawImage } from "./components/image.js";
import { drawLabel } from "./components/label.js";
import { drawScrollview } from "./components/scrollview.js";
import { drawTable } from "./components/table.js";
import { drawTextbox } from "./components/textbox.js";
import { drawWeb } from "./components/web.js";

const drawings = {
  label: drawLabel, image: drawImage, button: drawButton, textbox: drawTextbox, password: drawTextbox, scrollview: drawScrollview, web: drawWeb, table: drawTable,
  form: drawForm,
};

/** Draws the components in a list. Navigations stand in the bar and at the sides. */
export function drawComponents(components, pointer, context) {
  const found = [];
  for (const [index, component] of components.entries()) {
    if (component?.type === "navigation") continue;
    const element = attempt(component, `${pointer}/${index}`, context);
    element.dataset.pointer = `${pointer}/${index}`;
    element.classList.add("component");
    if (component?.size) element.dataset.size = JSON.stringify(component.size);
    found.push(element);
  }
  return found;
}

function attempt(component, pointer, context) {
  if (component === null || typeof component !== "object" || Array.isArray(component)) return note("This is no component.");
  if (context.depth > 32) return note("Components stand too deep in each other here.");
  if (!Object.hasOwn(drawings, component.type)) return note(`No client knows the component ${String(component.type)}.`);
  try {
    return drawings[component.type](component, pointer, { ...context, depth: context.depth + 1 });
  } catch (error) {
    return note(`This ${component.type} can't be drawn: ${error.message}`);
  }
}

function note(text) {
  return el("p", { class: "undrawable" }, icon("alert"), el("span", { text }));
}
