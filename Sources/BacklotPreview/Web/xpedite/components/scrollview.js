import { el } from "../../core/element.js";
import { list } from "../values.js";
import { drawComponents } from "../components.js";
import { color } from "../style.js";

/** Without a height it is as high as what stands in it. */
export function drawScrollview(component, pointer, context) {
  const scroll = el("div", { class: "scrollview", tabindex: "0", role: "group", "aria-label": "Scrolls", "data-scrolls": true },
    el("div", { class: "components" }, drawComponents(list(component.components), `${pointer}/components`, context)));
  const background = color(component.background);
  if (background) scroll.style.setProperty("background", background);
  return scroll;
}
