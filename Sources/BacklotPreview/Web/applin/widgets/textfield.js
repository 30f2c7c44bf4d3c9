import { el, icon } from "../../core/element.js";
import { text } from "../texts.js";

/** Keyboards by what a field allows; clients send any text all the same. */
const KEYBOARDS = { ascii: "text", email: "email", numbers: "numeric", tel: "tel" };

/** A field keeps its text while its page is on the stack, even if the refreshed page has another text: the stack's entry holds it. */
export function drawTextfield(node, pointer, { host, client, entry }) {
  const { input } = entry.page.textfields.get(node);
  const lines = Number.isInteger(node.max_lines) && node.max_lines > 0 ? node.max_lines : null;
  const attributes = {
    "data-input": input.name, inputmode: KEYBOARDS[node.allow] ?? null, spellcheck: "false", autocomplete: "off", dir: "auto",
    autocapitalize: { names: "words", sentences: "sentences" }[node.auto_capitalize] ?? "none",
    "aria-invalid": text(node.error) ? "true" : null, "aria-label": text(node.label) || input.name,
    "aria-errormessage": text(node.error) ? `error-${input.name}` : null,
  };
  const field = lines === 1 ? el("input", { type: "text", ...attributes }) : el("textarea", { rows: "1", ...attributes });
  field.value = entry.texts.get(input.name) ?? "";
  if (lines && lines > 1) field.style.setProperty("max-height", `calc(${Math.min(lines, 20)} * 1.35em + 1.2em)`);
  field.addEventListener("input", () => {
    host.step({ do: "enter", text: field.value, field: text(node.label) || input.name });
    client.enter(field.value, input, entry);
    client.changedByHand(node);
    host.dispatchEvent(new Event("variables"));
  });
  return el("label", { class: `textfield field row ${text(node.error) ? "wrong" : ""}` },
    text(node.label) ? el("span", { class: "label", dir: "auto", text: node.label }) : null, field, fieldError(node, input.name));
}

/** The message at an input. */
export function fieldError(node, name) {
  if (!text(node.error)) return null;
  return el("span", { class: "field-error", role: "alert", id: name ? `error-${name}` : null }, icon("alert"), el("span", { dir: "auto", text: node.error }));
}
