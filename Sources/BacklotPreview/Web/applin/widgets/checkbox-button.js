import { el } from "../../core/element.js";
import { readActions } from "../actions.js";
import { tapped, text } from "../texts.js";
import { checkRow } from "./checkbox.js";

/** It has no variable: its actions let the backend know, and the next version of the page says what it shows. */
export function drawCheckboxButton(node, pointer, { host, client, entry }) {
  const actions = readActions(node.actions);
  const isOn = node.initial_bool === true;
  const box = el("input", { type: "checkbox", disabled: actions.length === 0 });
  box.checked = isOn;
  box.addEventListener("change", async () => {
    box.checked = isOn;
    host.step(tapped(node, entry));
    await client.tap(actions);
  });
  return checkRow(box, text(node.text));
}
