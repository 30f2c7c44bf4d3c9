// A question in front of the page.

import { el } from "../core/element.js";

export function drawModal(modal, { host, client }) {
  const title = el("h2", { id: "modal-title", text: modal.title });
  const message = modal.message ? el("p", { id: "modal-message", text: modal.message }) : null;
  const isCancel = (button) => button.text.toLowerCase() === "cancel";
  const buttons = modal.buttons.map((button, index) => el("button", {
    type: "button", class: `${button.isDestructive ? "destructive" : ""} ${isCancel(button) ? "cancel" : ""}`, text: button.text,
    "data-first": index === 0,
    on: {
      click: () => {
        host.step({ do: "tap", label: button.text });
        client.layer = null;
        client.tap(button.actions);
      },
    },
  }));
  const box = el("div", {
    class: `modal ${buttons.length === 2 ? "side-by-side" : ""}`, role: "alertdialog", "aria-modal": "true", "aria-labelledby": "modal-title",
    "aria-describedby": message ? "modal-message" : null, on: { keydown: (event) => keepInside(event, buttons) },
  }, el("div", { class: "words" }, title, message), el("div", { class: "buttons" }, buttons));
  return el("div", { class: "layer" }, box);
}

/** The tab key stays within the modal, as a finger does. */
export function keepInside(event, buttons) {
  if (event.key !== "Tab" || buttons.length === 0) return;
  const at = buttons.indexOf(document.activeElement);
  event.preventDefault();
  buttons[(at + (event.shiftKey ? buttons.length - 1 : 1)) % buttons.length].focus();
}
