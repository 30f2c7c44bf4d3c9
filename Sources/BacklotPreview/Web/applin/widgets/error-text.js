import { el, icon } from "../../core/element.js";
import { readable } from "../texts.js";

export function drawErrorText(node, pointer, { client }) {
  return el("p", { class: "error-text", role: "alert" }, icon("alert"), el("span", { dir: "auto", text: readable(node.text, client) }));
}
