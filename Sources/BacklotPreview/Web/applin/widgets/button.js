import { el } from "../../core/element.js";
import { readActions } from "../actions.js";
import { tapped, text } from "../texts.js";

export function drawButton(node, pointer, context) {
  return tappable(node, context, "button");
}

/** A button that does its actions; without any it is disabled. */
export function tappable(node, { host, client, entry }, name, ...children) {
  const actions = readActions(node.actions);
  return el("button", {
    type: "button", class: name, disabled: actions.length === 0,
    on: { click: () => { host.step(tapped(node, entry)); client.tap(actions); } },
  }, children.length > 0 ? children : el("span", { text: text(node.text) }));
}

export function drawFormButton(node, pointer, context) {
  const align = ["start", "end"].includes(node.align) ? node.align : "center";
  return el("div", { class: `form-button-place align-${align}` }, tappable(node, context, "form-button"));
}
