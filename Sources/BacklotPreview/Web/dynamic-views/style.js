// Paddings, colours and text styles.

import { el, icon } from "../core/element.js";

/** Colours of the phone, which follow its platform. */
const OWN = {
  accent: "var(--accent)", onAccent: "var(--on-accent)", label: "var(--text-color)", primary: "var(--text-color)", secondaryLabel: "var(--dim)", secondary: "var(--dim)",
  tertiaryLabel: "var(--dim)", placeholderText: "var(--dim)", link: "var(--accent)", separator: "var(--line)", systemBackground: "var(--card)",
  secondarySystemBackground: "var(--back)", tertiarySystemBackground: "var(--card)", systemGroupedBackground: "var(--back)",
  secondarySystemGroupedBackground: "var(--card)", tertiarySystemGroupedBackground: "var(--back)", clear: "transparent",
};
/** Named colours, on a light and on a dark screen. */
const NAMED = {
  black: ["#000000"], white: ["#ffffff"], red: ["#ff3b30", "#ff453a"], orange: ["#ff9500", "#ff9f0a"], yellow: ["#ffcc00", "#ffd60a"], green: ["#34c759", "#30d158"],
  mint: ["#00c7be", "#63e6e2"], teal: ["#30b0c7", "#40c8e0"], cyan: ["#32ade6", "#64d2ff"], blue: ["#007aff", "#0a84ff"], indigo: ["#5856d6", "#5e5ce6"],
  purple: ["#af52de", "#bf5af2"], pink: ["#ff2d55", "#ff375f"], brown: ["#a2845e", "#ac8e68"], gray: ["#8e8e93"], gray2: ["#aeaeb2", "#636366"],
  gray3: ["#c7c7cc", "#48484a"], gray4: ["#d1d1d6", "#3a3a3c"], gray5: ["#e5e5ea", "#2c2c2e"], gray6: ["#f2f2f7", "#1c1c1e"],
};
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

/** A colour by its name, such as `label`, `systemRed` or `red`, or `#RRGGBB`; null for others, which are the app's own. */
export function color(value) {
  if (typeof value !== "string") return null;
  if (Object.hasOwn(OWN, value)) return OWN[value];
  const [light, dark] = shades(value) ?? [];
  return light ? `light-dark(${light}, ${dark})` : null;
}

/** A colour for texts on a coloured ground. */
export function readable(value) {
  if (["accent", "link"].includes(value)) return "var(--on-accent)";
  if (["label", "primary", "secondaryLabel", "secondary", "tertiaryLabel", "placeholderText"].includes(value)) return "var(--card)";
  const [light, dark] = shades(value) ?? [];
  return light ? `light-dark(${contrary(light)}, ${contrary(dark)})` : "var(--text-color)";
}

/** A colour on a light and on a dark screen; null for one that isn't named here. */
function shades(value) {
  if (/^#[0-9A-Fa-f]{6}$/.test(value)) return [value, value];
  const system = value.match(/^system([A-Z].*)$/)?.[1];
  const name = system ? system[0].toLowerCase() + system.slice(1) : value;
  if (!Object.hasOwn(NAMED, name)) return null;
  const [light, dark = light] = NAMED[name];
  return [light, dark];
}

/** Black on light colours and white on dark ones, by their luminance (WCAG 2, relative luminance). */
function contrary(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
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
