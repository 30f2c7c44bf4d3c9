// Elements, made without markup: texts are only ever text.

/**
 * Makes an element.
 *
 * `parts` has `class`, `text`, `on` (listeners by their events), and any attribute; one that is null, undefined or false is left
 * out, and true is an attribute without a value.
 */
export function el(tag, parts = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(parts)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** The shapes of icons, drawn with strokes in a square of 24. */
const shapes = {
  back: ["M15 4 7 12l8 8"],
  chevron: ["m9 5 7 7-7 7"],
  alert: ["M12 3 2 20h20L12 3z", "M12 10v4", "M12 17v.5"],
  image: ["M4 5h16v14H4z", "m4 17 5-5 4 4 3-3 4 4", "M15.5 9.5h.01"],
  check: ["m5 12.5 5 5L19 7"],
  down: ["m5 9 7 7 7-7"],
  up: ["m5 16 7-7 7 7"],
  share: ["M12 15V3", "m8 7 4-4 4 4", "M7 11H5v10h14V11h-2"],
  refresh: ["M19 8a8 8 0 1 0 1 6", "M20 3v5h-5"],
  target: ["M12 3v4", "M12 17v4", "M3 12h4", "M17 12h4", "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6"],
  menu: ["M4 7h16", "M4 12h16", "M4 17h16"],
  close: ["M6 6l12 12", "M18 6 6 18"],
  search: ["M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13", "m15.5 15.5 5 5"],
  play: ["M8 5v14l11-7z"],
  phone: ["M8 2.5h8a1.5 1.5 0 0 1 1.5 1.5v16a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 20V4A1.5 1.5 0 0 1 8 2.5z", "M11 18.5h2"],
  rotate: ["M4 12a8 8 0 0 1 13.5-5.8L20 8.5", "M20 3.5v5h-5", "M20 13a8 8 0 0 1-13.5 4.8"],
  layers: ["m12 3 9 5-9 5-9-5z", "m3 13 9 5 9-5"],
  sun: ["M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8", "M12 2v2.5", "M12 19.5V22", "M2 12h2.5", "M19.5 12H22", "m5 5 1.7 1.7", "m17.3 17.3 1.7 1.7", "m5 19 1.7-1.7", "m17.3 6.7 1.7-1.7"],
  letters: ["m2.5 19 5.5-14 5.5 14", "M4.5 14.5h7", "m15 19 3.2-8 3.2 8", "M16.2 16.5h4"],
  direction: ["M4 8h15", "m15 4 4 4-4 4", "M20 17H5", "m9 13-4 4 4 4"],
  signal: ["M4.5 19v-3", "M9.5 19v-6.5", "M14.5 19V8.5", "M19.5 19V4.5"],
  grid: ["M4 4h6.5v6.5H4z", "M13.5 4H20v6.5h-6.5z", "M4 13.5h6.5V20H4z", "M13.5 13.5H20V20h-6.5z"],
  box: ["m12 3 8 4.5v9L12 21l-8-4.5v-9z", "m4.2 7.6 7.8 4.4 7.8-4.4", "M12 12v9"],
};

/** Makes an icon. It is an ornament: what it is on says in words what it means. */
export function icon(name) {
  return picture({ class: `icon icon-${name}` }, ...(shapes[name] ?? []).map((d) => ["path", { d }]));
}

/** Makes a picture in a square of 24, of parts with their attributes: `["path", {d}]`. */
export function picture(attributes, ...parts) {
  const [svg, ...children] = [["svg", { viewBox: "0 0 24 24", "aria-hidden": "true", ...attributes }], ...parts].map(([tag, values]) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
    return element;
  });
  svg.append(...children);
  return svg;
}

/** Puts children in the place of those that an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
