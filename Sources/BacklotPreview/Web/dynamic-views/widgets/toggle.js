import { el } from "../../core/element.js";
import { text } from "../values.js";

/** A switch, which is stored under its key. */
export function drawToggle(widget, pointer, { client }) {
  const key = text(widget.key);
  const box = el("input", { type: "checkbox", role: "switch", "aria-label": text(widget.text) });
  box.checked = client.stored[key] === true;
  box.addEventListener("change", () => {
    client.store(key, box.checked);
    client.interact(widget.id, { userInfo: { [client.isAndroid ? "checked" : key]: box.checked } });
  });
  return el("label", { class: "toggle line" }, el("span", { class: "words", dir: "auto", text: text(widget.text) }), box, el("span", { class: "knob", "aria-hidden": "true" }));
}
