// The inputs. Each change is written into the model at once.

import { el } from "../core/element.js";
import { numberOf, oneOf, textOf } from "./functions.js";

/** The parts of ISO 8601 that a field of a type shows. */
const SHOWN = { date: /^\d{4}-\d\d-\d\d/, time: /(?<=^|T)\d\d:\d\d/, "datetime-local": /^\d{4}-\d\d-\d\dT\d\d:\d\d/ };

/** An input with its label, and below it the messages of failed checks, which describe the field. */
function input(node, label, field, failures = []) {
  const all = [...node.evaluator.failures(node.json), ...failures];
  const id = `${node.key}/messages`;
  if (all.some(({ severity }) => severity === "error")) field.setAttribute("aria-invalid", "true");
  if (all.length > 0) for (const name of ["aria-describedby", "aria-errormessage"]) field.setAttribute(name, id);
  return el("div", { class: node.json.component }, label, all.length > 0 && el("div", { class: "messages", id }, all.map(({ message, severity }) => el("p", { class: severity, dir: "auto", text: message }))));
}

/** A field with its label above it. */
function field(node, tag, parts, value, beside = null, failures = []) {
  const label = node.text("label");
  const oninput = ({ target }) => {
    node.drawing.host.step({ do: "enter", field: label || node.id, text: target.value });
    node.input = target.type === "range" ? Number(target.value) : target.value;
  };
  const element = Object.assign(el(tag, { "aria-label": label || node.id, dir: "auto", ...parts }), { value, oninput });
  return input(node, el("label", {}, label && el("span", { class: "caption", dir: "auto", text: label }), element, beside), element, failures);
}

/** A box that is checked, with its label behind it. */
function box(label, parts, checked, onchange) {
  const element = Object.assign(el("input", { "aria-label": label || null, ...parts }), { checked, onchange });
  return el("label", { class: "checkbox" }, element, el("span", { class: "words", dir: "auto", text: label }));
}

export function TextField(node) {
  const variant = oneOf(node.json.variant, "shortText", "longText", "number", "obscured");
  const value = textOf(node.input);
  const isRight = node.json.validationRegexp === undefined || value === "" || node.evaluator.call("regex", { value, pattern: node.json.validationRegexp });
  const parts = { shortText: { type: "text" }, longText: { rows: 4 }, number: { type: "text", inputmode: "decimal" }, obscured: { type: "password", autocomplete: "new-password" } }[variant];
  return field(node, variant === "longText" ? "textarea" : "input", { ...parts, placeholder: node.text("placeholder") || null }, value, null, isRight ? [] : [{ message: "This isn't in the expected form.", severity: "error" }]);
}

export function Slider(node) {
  const [min, max, steps] = [numberOf(node.json.min) ?? 0, numberOf(node.json.max) ?? 100, numberOf(node.json.steps)];
  const value = numberOf(node.input) ?? min;
  return field(node, "input", { type: "range", min, max, step: steps ? (max - min) / steps : max - min > 1 ? 1 : "any" }, value, el("output", { "aria-hidden": "true", text: String(Number(value.toFixed(3))) }));
}

export function DateTimeInput(node) {
  const { enableDate, enableTime } = node.json;
  const type = Boolean(enableDate) === Boolean(enableTime) ? "datetime-local" : enableDate ? "date" : "time";
  const shown = (text) => SHOWN[type].exec(text)?.[0];
  return field(node, "input", { type, dir: null, min: shown(node.text("min")), max: shown(node.text("max")) }, shown(textOf(node.input)) ?? "");
}

export function CheckBox(node) {
  const label = node.text("label");
  const element = box(label, { type: "checkbox", "aria-label": label || node.id }, node.input === true, ({ target }) => {
    node.drawing.host.step({ do: "check", field: label || node.id, isOn: target.checked });
    node.input = target.checked;
  });
  return input(node, element, element.firstChild);
}

export function ChoicePicker(node) {
  const [isMany, chosen, label, filter] = [node.json.variant === "multipleSelection", Array.isArray(node.input) ? node.input : [], node.text("label"), node.local("filter", "")];
  const options = node.json.options.map((option) => [textOf(option.value), node.evaluator.text(option.label)]).filter(([, words]) => words.toLowerCase().includes(filter.toLowerCase()));
  const boxes = options.map(([value, words]) => box(words, { type: isMany ? "checkbox" : "radio", name: node.key, value }, chosen.includes(value), ({ target }) => {
    node.drawing.host.step({ do: "choose", field: label || node.id, option: words });
    node.input = !isMany ? [value] : target.checked ? [...chosen, value] : chosen.filter((one) => one !== value);
  }));
  const search = node.json.filterable === true && Object.assign(el("input", { type: "search", "aria-label": `Filter ${label}`.trim(), placeholder: "Filter" }), { value: filter, oninput: ({ target }) => node.setLocal("filter", target.value) });
  const group = el("div", { class: `options ${node.json.displayStyle === "chips" ? "chips" : ""}`, role: isMany ? "group" : "radiogroup", "aria-label": label || node.id }, boxes);
  return input(node, [label && el("p", { class: "caption", dir: "auto", text: label }), search, group], group);
}
