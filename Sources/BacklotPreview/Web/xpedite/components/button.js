import { el } from "../../core/element.js";
import { text } from "../values.js";
import { dress } from "../style.js";
import { symbol } from "../symbols.js";

export function drawButton(component, pointer, { host, client }) {
  const label = text(component.text);
  const button = el("button", {
    type: "button", class: component.style === "button" ? "bordered" : "plain", "aria-label": label || text(component.icon) || "button",
    disabled: typeof component.method?.function !== "string",
    on: { click: () => { host.step({ do: "tap", label: label || text(component.icon) }); client.call(component.method); } },
  }, component.icon ? symbol(component.icon) : null, label ? el("span", { text: label }) : null);
  return dress(button, component, client.defaults);
}
