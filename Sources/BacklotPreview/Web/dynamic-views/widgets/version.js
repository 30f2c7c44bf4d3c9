import { el } from "../../core/element.js";

/** The app's version. Five taps ask for the password of developer mode. */
export function drawVersion(widget, pointer, { client }) {
  return el("div", { class: "version" }, el("button", { type: "button", class: "tap", on: { click: () => client.tapVersion(widget.id) } },
    el("span", { class: "words", text: "Version 1.0 (1)" })));
}
