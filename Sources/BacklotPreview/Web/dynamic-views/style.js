// Paddings, colours and text styles.

import { el, icon } from "../core/element.js";

const COLORS = { accent: "var(--accent)", onAccent: "var(--on-accent)", label: "var(--text-color)", secondaryLabel: "var(--dim)", clear: "transparent", systemRed: "var(--error)" };
const STYLES = {
  body: [1, 400], callout: [0.94, 400], caption: [0.7, 400], caption2: [0.65, 400], footnote: [0.76, 400], headline: [1, 600], subheadline: [0.88, 400], largeTitle: [2, 700],
  title: [1.65, 700], title2: [1.3, 600], title3: [1.18, 600],
};

/** Gives an element a padding: one to four numbers in an array, or an object. */
export function padding(element, value) {
  const sides = read(value);
  if (!sides) return;
  const { top, leading, bottom, trailing } = sides;
  element.style.setProperty("padding-block", `${top}px ${bottom}px`);
  element.style.setProperty("padding-inline", `${leading}px ${trailing}px`);
}

function read(value) {
  const number = (one) => (typeof one === "number" && Number.isFinite(one) ? Math.max(0, Math.min(one, 1000)) : 0);
  if (Array.isArray(value)) {
    const [a, b, c, d] = value.map(number);
    if (value.length === 1) return { top: a, leading: a, bottom: a, trailing: a };
    if (value.length === 2) return { top: b, leading: a, bottom: b, trailing: a };
    return value.length === 4 ? { top: b, leading: a, bottom: c, trailing: d } : null;
  }
  if (value === null || typeof value !== "object") return null;
  return { top: number(value.top), leading: number(value.leading ?? value.left), bottom: number(value.bottom), trailing: number(value.trailing ?? value.right) };
}

/** A colour by its name, or `#RRGGBB`; null for others, which are the app's own. */
export function color(value) {
  if (typeof value !== "string") return null;
  if (/^#[0-9A-Fa-f]{6}$/.test(value)) return value;
  return Object.hasOwn(COLORS, value) ? COLORS[value] : null;
}

export function textStyle(element, name) {
  const style = Object.hasOwn(STYLES, name) ? STYLES[name] : STYLES.body;
  element.style.setProperty("font-size", `${style[0]}em`);
  element.style.setProperty("font-weight", String(style[1]));
}

/** A picture: of the server where it is a path, else one of the app's own, of which only the name is known. */
export function picture(name, host) {
  if (typeof name === "string" && name.startsWith("/")) return host.image(name);
  return el("span", { class: "picture missing named", role: "img", "aria-label": `picture ${String(name)}`, title: `The app's own picture ${String(name)}` }, icon("image"), el("small", { text: String(name) }));
}
