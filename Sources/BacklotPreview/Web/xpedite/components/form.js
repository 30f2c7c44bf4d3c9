import { el, icon } from "../../core/element.js";
import { list, text } from "../values.js";
import { drawTextbox } from "./textbox.js";

/** A form: its fields on cards, and what saves and cancels it. */
export function drawForm(component, pointer, context) {
  const { host, client } = context;
  const form = text(component.id);
  const isDialog = component.style === "dialog";
  const saveText = text(component.saveNavigation) || "Save";
  const cancelText = text(component.cancelNavigation) || "Cancel";
  /** Both save and cancel send the typed values. A form without an id has no place for it. */
  const leave = (method, label) => (method ? () => {
    host.step({ do: "tap", label });
    client.call(method, form ? { formdata: { [form]: client.formData()[form] ?? {} } } : {});
  } : null);
  const save = leave(component.save, saveText);
  const cancel = leave(component.cancel, cancelText);
  const parts = [];
  let card = null;
  for (const [index, field] of list(component.components).entries()) {
    const place = `${pointer}/components/${index}`;
    if (field?.type === "section") {
      parts.push(el("h2", { class: "section-title", dir: "auto", text: text(field.title), "data-pointer": place }));
      card = null;
      continue;
    }
    if (!card) parts.push((card = el("div", { class: "card" })));
    const element = drawField(field, { ...context, form });
    element.dataset.pointer = place;
    element.classList.add("field");
    card.append(element);
  }
  const button = (label, action, name, sign) => (action ? el("button", { type: "button", class: name, "aria-label": label, on: { click: action } }, isDialog ? icon(sign) : label) : null);
  const title = text(component.title);
  const head = isDialog || title ? el("div", { class: "form-head" }, isDialog ? button(cancelText, cancel, "sign", "close") : null, el("h2", { dir: "auto", text: title }), isDialog ? button(saveText, save, "sign", "check") : null) : null;
  const foot = isDialog ? null : el("div", { class: "form-foot" }, button(cancelText, cancel, "bordered quiet"), button(saveText, save, "bordered"));
  return el("div", {
    class: `xform ${isDialog ? "dialog" : ""}`, role: isDialog ? "dialog" : "form", "aria-modal": isDialog ? "true" : null, "aria-label": title || form || "form",
  }, head, el("div", { class: "rows", "data-scrolls": isDialog }, parts), foot);
}

function drawField(field, context) {
  switch (field?.type) {
    case "textbox":
    case "password": return drawTextbox(field, "", context);
    case "textview": return drawTextview(field, context);
    case "checkbox": return drawCheckbox(field, context);
    case "date": return drawDate(field, context);
    case "select": return drawSelect(field, context);
    case "radio": return drawRadio(field, context);
    default: return el("p", { class: "undrawable" }, icon("alert"), el("span", { text: `No client knows the field ${String(field?.type)}.` }));
  }
}

const caption = (field) => (text(field.title) ? el("span", { class: "caption", dir: "auto", text: field.title }) : null);
const nameOf = (field) => text(field.title) || text(field.name);

function drawTextview(field, { host, client, form }) {
  const area = el("textarea", { rows: "3", "data-input": `${form}/${field.name}`, placeholder: text(field.placeholder) || null, "aria-label": nameOf(field), dir: "auto" });
  area.value = client.value(form, field.name);
  area.addEventListener("input", () => {
    client.set(form, field.name, area.value);
    host.step({ do: "enter", text: area.value, field: nameOf(field) });
  });
  return el("label", { class: "textbox" }, caption(field), area);
}

function drawCheckbox(field, { host, client, form }) {
  const box = el("input", { type: "checkbox", role: "switch", "data-input": `${form}/${field.name}`, "aria-label": nameOf(field) });
  box.checked = client.value(form, field.name) === "1";
  box.addEventListener("change", () => {
    client.set(form, field.name, box.checked ? "1" : "0");
    host.step({ do: "check", field: nameOf(field), isOn: box.checked });
  });
  return el("label", { class: "switch" }, caption(field), box, el("span", { class: "knob", "aria-hidden": "true" }));
}

function drawDate(field, { host, client, form }) {
  const input = el("input", { type: "date", "data-input": `${form}/${field.name}`, "aria-label": nameOf(field) });
  input.value = client.value(form, field.name);
  input.addEventListener("change", () => {
    client.set(form, field.name, input.value);
    host.step({ do: "pick", day: input.value, field: nameOf(field) });
  });
  return el("label", { class: "beside" }, caption(field), input);
}

/** The options in the order of their keys, as the reference wants it. */
function options(field) {
  const all = field.options !== null && typeof field.options === "object" ? Object.entries(field.options) : [];
  return all.filter(([, label]) => typeof label === "string").sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
}

function drawSelect(field, { host, client, form }) {
  const select = el("select", { "data-input": `${form}/${field.name}`, "aria-label": nameOf(field) }, options(field).map(([key, label]) => el("option", { value: key, text: label })));
  select.value = client.value(form, field.name);
  select.addEventListener("change", () => {
    client.set(form, field.name, select.value);
    host.step({ do: "choose", option: select.selectedOptions[0].textContent, field: nameOf(field) });
  });
  return el("label", { class: "beside" }, caption(field), select);
}

function drawRadio(field, { host, client, form }) {
  const group = `${form}/${field.name}`;
  return el("fieldset", { class: "radio" }, text(field.title) ? el("legend", { class: "caption", text: field.title }) : null, options(field).map(([key, label]) => {
    const input = el("input", { type: "radio", name: group, value: key });
    input.checked = client.value(form, field.name) === key;
    input.addEventListener("change", () => {
      client.set(form, field.name, key);
      host.step({ do: "choose", option: label, field: nameOf(field) });
    });
    return el("label", {}, input, el("span", { dir: "auto", text: label }), icon("check"));
  }));
}
