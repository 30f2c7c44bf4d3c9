// SF Symbols by their names, as far as this browser has something like them; others are shown by the beginning of their name.

import { el, icon } from "../core/element.js";

const KNOWN = {
  "line.3.horizontal": "menu", magnifyingglass: "search", xmark: "close", checkmark: "check", "arrow.clockwise": "refresh", "chevron.left": "back", "chevron.right": "chevron",
  "exclamationmark.triangle": "alert", photo: "image",
};
const TEXTS = { plus: "+", "ellipsis.circle": "⋯", ellipsis: "⋯", pencil: "✎", trash: "🗑", gear: "⚙", house: "⌂", person: "☺", star: "★", heart: "♥" };

export function symbol(name) {
  if (Object.hasOwn(KNOWN, name)) return icon(KNOWN[name]);
  return el("span", { class: "symbol", "aria-hidden": "true", text: TEXTS[name] ?? String(name).slice(0, 3) });
}
