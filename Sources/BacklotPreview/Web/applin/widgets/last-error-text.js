import { el } from "../../core/element.js";

export function drawLastErrorText(node, pointer, { client }) {
  return el("p", { class: "text last-error-text row", dir: "auto", text: client.lastError?.message ?? "" });
}
