import { el, icon } from "../../core/element.js";
import { readable, text } from "../texts.js";

export function drawText(node) {
  return el("p", { class: "text row", dir: "auto", text: text(node.text) });
}

export function drawErrorText(node, pointer, { client }) {
  return el("p", { class: "error-text", role: "alert" }, icon("alert"), el("span", { dir: "auto", text: readable(node.text, client) }));
}

export function drawLastErrorText(node, pointer, { entry }) {
  return el("p", { class: "text last-error-text row", dir: "auto", text: entry.details ?? "" });
}
