// The question for the password of developer mode.

import { el } from "../core/element.js";

export function drawPassword(client) {
  const input = el("input", { type: "password", "aria-label": "Password", autocomplete: "off" });
  const cancel = () => client.enterPassword(null);
  const form = el("form", {
    class: "modal side-by-side", role: "dialog", "aria-modal": "true", "aria-labelledby": "password-title",
    on: {
      submit: (event) => {
        event.preventDefault();
        client.enterPassword(input.value);
      },
      keydown: (event) => {
        if (event.key === "Escape") cancel();
      },
    },
  }, el("div", { class: "words" }, el("h2", { id: "password-title", text: "Developer mode" }), el("p", { text: "Enter the password." }), input),
  el("div", { class: "buttons" }, el("button", { type: "button", class: "cancel", text: "Cancel", on: { click: cancel } }), el("button", { type: "submit", text: "OK" })));
  return el("div", { class: "layer" }, form);
}
