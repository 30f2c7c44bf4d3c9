import { el } from "../../core/element.js";
import { text } from "../values.js";

/** A choice, which is stored under the widget's id. An option is also known by the last part of its id. */
export function drawMultiValue(widget, pointer, { client }) {
  const values = (Array.isArray(widget.values) ? widget.values : []).filter((value) => typeof value?.id === "string");
  const stored = client.stored[widget.id];
  const select = el("select", { "aria-label": text(widget.text) }, values.map((value) => el("option", { value: value.id, text: text(value.text) })));
  select.selectedIndex = values.findIndex(({ id }) => id === stored || id.split(".").at(-1) === stored);
  select.addEventListener("change", () => {
    client.store(widget.id, select.value);
    client.interact(widget.id, { userInfo: { [client.isAndroid ? "selection" : "value"]: select.value } });
  });
  return el("label", { class: "line" }, el("span", { class: "words", dir: "auto", text: text(widget.text) }), select);
}
