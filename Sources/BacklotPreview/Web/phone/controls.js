// The choices above the phone: each has an icon, its name, and its current value.

import { el, icon } from "../core/element.js";

/** The devices: their width and height in points, held upright. */
export const SIZES = {
  "Small phone": [375, 667], Phone: [390, 844], "Large phone": [430, 932], "Small tablet": [744, 1133], Tablet: [820, 1180],
};
export const TEXT_SIZES = { Small: 0.85, Normal: 1, Large: 1.2, "Extra large": 1.5, Accessibility: 2 };
const TEXT_NAMES = { Normal: "Standard", Accessibility: "Largest" };
const percent = (share) => `${Math.round(share * 100)} %`;

/** The choices by their names: what may be chosen, each with its text. */
export const CHOICES = {
  size: { label: "Device", title: "The device that the page is drawn on", icon: "phone", usual: "Phone", options: Object.keys(SIZES).map((name) => [name, name]) },
  platform: { label: "Platform", icon: "layers", usual: "iOS", options: [["iOS", "iOS"], ["Android", "Android"]] },
  theme: { label: "Colours", title: "Automatic: as this computer has them", icon: "sun", usual: "System", options: [["System", "Automatic"], ["Light", "Light"], ["Dark", "Dark"]] },
  text: { label: "Text size", title: "The text size in the settings of the device", icon: "letters", usual: "Normal", options: Object.keys(TEXT_SIZES).map((name) => [name, TEXT_NAMES[name] ?? name]) },
  direction: { label: "Direction", icon: "direction", usual: "Left to right", options: [["Left to right", "Left to right"], ["Right to left", "Right to left"]] },
  zoom: { label: "Zoom", title: "How large the device is drawn", icon: "search", usual: "Fit", options: [["Fit", "All of it"], ...[0.5, 0.75, 1, 1.25, 1.5, 2].map((share) => [String(share), percent(share)])] },
};

/** A control with an icon and its label above what it shows. */
export function control(label, iconName, field) {
  return el("label", { class: "control", title: field.title }, icon(iconName), el("span", { class: "caption", text: label, "aria-hidden": "true" }), field);
}

/** The controls of a phone. */
export function phoneControls(phone) {
  const bar = el("div", { class: "controls", role: "toolbar", "aria-label": "The phone" });
  for (const [name, choice] of Object.entries(CHOICES)) {
    const select = el("select", { "aria-label": choice.label, "data-choice": name, title: choice.title }, choice.options.map(([value, text]) => el("option", { value, text })));
    select.value = phone.value(name);
    select.addEventListener("change", () => phone.choose(name, select.value));
    bar.append(control(choice.label, choice.icon, select));
    if (name === "size") bar.append(rotation(phone));
  }
  return bar;
}

function rotation(phone) {
  const state = el("span", { class: "state" });
  const button = el("button", { type: "button", class: "control rotate", title: "Turn the device" }, icon("rotate"), el("span", { class: "caption", text: "Rotate" }), state);
  const show = () => {
    state.textContent = phone.isOnItsSide ? "On its side" : "Upright";
    button.setAttribute("aria-pressed", String(phone.isOnItsSide));
  };
  button.addEventListener("click", () => phone.choose("rotated", !phone.isOnItsSide));
  phone.addEventListener("look", show);
  show();
  return button;
}
