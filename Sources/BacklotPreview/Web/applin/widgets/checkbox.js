import { el, icon } from "../../core/element.js";
import { readActions } from "../actions.js";
import { inputsOf } from "../page.js";
import { tapped, text } from "../texts.js";

export function drawCheckbox(node, pointer, { host, client, entry }) {
  const [input] = inputsOf(node);
  const isOn = client.value(input) === true;
  const box = el("input", { type: "checkbox", checked: isOn, "data-input": input.name });
  box.checked = isOn;
  box.addEventListener("change", async () => {
    if (client.isBusy) return void (box.checked = !box.checked);
    const isSet = Object.hasOwn(client.variables, input.name);
    const before = client.variables[input.name];
    const isChecked = client.value(input) === true;
    host.step({ ...tapped(node, entry), isOn: !isChecked });
    client.set(input.name, !(client.value(input) === true));
    await client.tap(readActions(node.actions), () => {
      if (isSet) client.set(input.name, before);
      else delete client.variables[input.name];
    });
    client.changedByHand(node);
  });
  return checkRow(box, text(node.text));
}

/** A box with a text beside it. */
export function checkRow(box, label) {
  return el("label", { class: "checkbox row" }, box, el("span", { class: "box", "aria-hidden": "true" }, icon("check")), el("span", { class: "words", text: label }));
}
