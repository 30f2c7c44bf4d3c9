import { el } from "../../core/element.js";
import { tappable } from "./button.js";

export function drawFormButton(node, pointer, context) {
  const align = ["start", "end"].includes(node.align) ? node.align : "center";
  return el("div", { class: `form-button-place align-${align}` }, tappable(node, context, "form-button"));
}
