// The file that draws each widget.

import { el, icon } from "../core/element.js";
import { drawButton } from "./widgets/button.js";
import { drawImage } from "./widgets/image.js";
import { drawInformation } from "./widgets/information.js";
import { drawMultiValue } from "./widgets/multi-value.js";
import { drawNavigation } from "./widgets/navigation.js";
import { drawSection } from "./widgets/section.js";
import { drawDevice, drawLastPurchases, drawSnabble } from "./widgets/snabble.js";
import { drawText } from "./widgets/text.js";
import { drawToggle } from "./widgets/toggle.js";
import { drawVersion } from "./widgets/version.js";
import { padding } from "./style.js";

const drawings = {
  text: drawText, image: drawImage, button: drawButton, information: drawInformation, toggle: drawToggle, section: drawSection, developerMode: drawSection,
  navigation: drawNavigation, multiValue: drawMultiValue, version: drawVersion, "snabble.version": drawVersion, "snabble.lastPurchases": drawLastPurchases,
  purchases: drawLastPurchases, "snabble.switchEnvironment": drawMultiValue, "snabble.devSettings": drawDevice, "snabble.clientId": drawDevice,
  "snabble.appUserId": drawDevice,
};
for (const name of ["customerCard", "locationPermission", "startShopping", "allStores", "connectWifi"]) drawings[`snabble.${name}`] = drawSnabble;
drawings.connectWifi = drawSnabble;
drawings.locationPermission = drawSnabble;

/** Draws the widgets in a list. */
export function drawWidgets(widgets, pointer, context) {
  if (!Array.isArray(widgets)) return [];
  return widgets.map((widget, index) => {
    if (context.client.hidden.has(widget?.id)) return null;
    if (widget?.type === "developerMode" && !context.client.hasDeveloperMode) return null;
    const element = attempt(widget, `${pointer}/${index}`, context);
    element.dataset.pointer = `${pointer}/${index}`;
    if (widget?.type !== "section" && widget?.type !== "developerMode") padding(element, widget?.padding);
    return element;
  }).filter(Boolean);
}

function attempt(widget, pointer, context) {
  if (widget === null || typeof widget !== "object" || Array.isArray(widget)) return note("This is no widget.");
  if (context.depth > 32) return note("Widgets stand too deep in each other here.");
  if (!Object.hasOwn(drawings, widget.type)) return note(`No client knows the widget ${String(widget.type)}.`);
  try {
    return drawings[widget.type](widget, pointer, { ...context, depth: context.depth + 1 });
  } catch (error) {
    return note(`This ${widget.type} can't be drawn: ${error.message}`);
  }
}

function note(text) {
  return el("p", { class: "undrawable" }, icon("alert"), el("span", { text }));
}
