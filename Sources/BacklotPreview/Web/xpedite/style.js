// Colours, fonts and alignments, as the reference has them. What is written wrong counts as absent.

/** The text styles of the platform, by their names, as sizes in relation to the body's. */
const STYLES = {
  largetitle: [2, 700], title: [1.65, 400], title1: [1.65, 400], title2: [1.3, 400], title3: [1.18, 400], headline: [1, 600], subheadline: [0.88, 400],
  body: [1, 400], callout: [0.94, 400], footnote: [0.76, 400], caption: [0.7, 400], caption1: [0.7, 400], caption2: [0.65, 400],
};

/** `#RRGGBB`, or null. */
export function color(value) {
  return typeof value === "string" && /^#[0-9A-Fa-f]{6}$/.test(value) ? value : null;
}

/** Black or white, whichever is easier to read on a colour: the app has said nothing about the text, and the phone's own colour may not fit. */
export function inkOn(background) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(background.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000000" : "#FFFFFF";
}

/** Gives an element the look that a component, or else the session's defaults, asks for. */
export function dress(element, component, defaults = {}) {
  const { style } = element;
  const set = (name, value) => value && style.setProperty(name, value);
  const background = color(component.background) ?? color(defaults.background);
  set("color", color(component.color) ?? color(component.colour) ?? (background && inkOn(background)));
  set("background-color", background);
  const font = typeof component.font === "string" ? component.font : typeof defaults.font === "string" ? defaults.font : "";
  const known = STYLES[font.toLowerCase().replaceAll(/[^a-z0-9]/g, "")];
  if (known) {
    set("font-size", `${known[0]}em`);
    set("font-weight", String(known[1]));
  } else if (font) {
    const [family, weight] = font.split("-");
    set("font-family", `"${family.replaceAll(/["\\]/g, "")}", var(--font)`);
    if (/bold/i.test(weight ?? "")) set("font-weight", "700");
    if (/italic|oblique/i.test(weight ?? "")) set("font-style", "italic");
  }
  const size = [component.fontsize, defaults.fontsize].find((one) => typeof one === "number" && one > 0 && one < 400);
  if (size && !known) set("font-size", `calc(${size}px * var(--text, 1))`);
  set("text-align", { left: "left", right: "right", centre: "center", center: "center", justify: "justify" }[component.align]);
  return element;
}
