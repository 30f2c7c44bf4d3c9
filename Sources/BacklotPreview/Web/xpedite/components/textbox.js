import { el } from "../../core/element.js";
import { text } from "../values.js";
import { dress } from "../style.js";

const KEYBOARDS = { email: "email", number: "numeric", phone: "tel", url: "url" };

/** A text box or a password, on the page or in a form. */
export function drawTextbox(component, pointer, { host, client, form }) {
  const name = text(component.name);
  const isSecret = component.type === "password";
  const input = el("input", {
    type: isSecret ? "password" : "text", "data-input": `${form}/${name}`, placeholder: text(component.placeholder) || null, autocomplete: "off",
    inputmode: KEYBOARDS[component.keyboard] ?? null, enterkeyhint: { next: "next", done: "done", go: "go", search: "search" }[component.returnkey] ?? null,
    spellcheck: "false", autocapitalize: component.autotext === "disable" ? "none" : null, "data-id": text(component.id) || null, "data-focus": component.focus === true,
    "aria-label": text(component.title) || text(component.placeholder) || name, dir: "auto",
    on: {
      input: () => {
        client.set(form, name, input.value);
        host.step({ do: "enter", text: input.value, field: text(component.title) || name });
      },
      keydown: (event) => {
        if (event.key !== "Enter" || !text(component.onEnter)) return;
        host.screen.querySelector(`[data-id="${CSS.escape(component.onEnter)}"]`)?.focus();
      },
    },
  });
  input.value = client.value(form, name);
  dress(input, component, client.defaults);
  const eye = isSecret ? el("button", {
    type: "button", class: "eye", "aria-label": "Show what is typed", "aria-pressed": "false", text: "👁",
    on: { click: () => { input.type = input.type === "password" ? "text" : "password"; eye.setAttribute("aria-pressed", String(input.type === "text")); } },
  }) : null;
  return el("label", { class: "textbox" }, text(component.title) ? el("span", { class: "caption", text: component.title }) : null, el("span", { class: "input" }, input, eye));
}
