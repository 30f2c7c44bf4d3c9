import { el } from "../../core/element.js";

/** The app's version. Five taps ask for the developer's mode. */
export function drawVersion(widget, pointer, { client }) {
  let taps = 0;
  return el("div", { class: "version" }, el("button", { type: "button", class: "tap", on: { click: () => { if (++taps % 5 === 0) client.interact(widget.id); } } },
    el("span", { class: "words", text: "Version 1.0 (1)" })));
}
