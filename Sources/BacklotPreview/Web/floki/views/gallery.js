import { el, icon } from "../../core/element.js";
import { color } from "../colors.js";

/** Pictures in rows, by the geometry that the reference gives for a screen of 320 points. */
export function drawGallery(view, { client, host }) {
  const feed = client.feed(view);
  const number = (value, usual) => (Number.isInteger(value) && value > 0 ? value : usual);
  const [columns, padding, height] = [number(view.data.cells_per_row, 4), number(view.data.padding, 2), number(view.data.row_height, 79)];
  const thumbs = feed.shown;
  const grid = el("div", { class: "grid" }, thumbs.map((thumb, index) => el("button", {
    type: "button", class: "cell", "aria-label": String(thumb.caption_text ?? thumb.title ?? "photo"), "data-pointer": thumb.pointer ?? null,
    on: { click: () => client.push({ type: "Photo_view_controller", data: view.data, title: String(thumb.title ?? ""), entry: thumb, thumbs, index }) },
  }, host.image(String(thumb.image ?? ""), location.origin))));
  grid.style.setProperty("grid-template-columns", `repeat(${Math.min(columns, 20)}, 1fr)`);
  grid.style.setProperty("gap", `${2 * padding}px`);
  const width = Math.max(1, Math.floor((320 - 2 * padding) / columns - 2 * padding));
  grid.style.setProperty("--ratio", String(width / Math.max(1, height - 2 * padding)));
  const shade = color(view.data.cell_highlight_color);
  if (shade) grid.style.setProperty("--highlight", shade);
  return [
    feed.error ? el("p", { class: "undrawable", role: "alert" }, icon("alert"), el("span", { text: feed.error })) : null, grid,
    feed.isLoading ? el("p", { class: "loading", role: "status", text: "Loading…" }) : null,
    feed.hasOlder ? el("button", { type: "button", class: "more", text: "More…", on: { click: () => client.loadFeed(view, false, true) } }) : null,
  ];
}

/** One picture. Two clicks enlarge it up to `max_zoom`. */
export function drawPhoto(view, { client, host }) {
  const { entry, thumbs = [], index = 0 } = view;
  const picture = host.image(String(entry.url ?? ""), location.origin);
  const zoom = typeof entry.max_zoom === "number" && entry.max_zoom >= 1 ? Math.min(entry.max_zoom, 10) : 2;
  let isLarge = false;
  const place = el("div", { class: "photo", on: { dblclick: () => { isLarge = !isLarge; picture.style.setProperty("scale", isLarge ? String(zoom) : "1"); } } }, picture);
  const step = (by, name, label) => {
    const other = thumbs[index + by];
    return el("button", {
      type: "button", class: "step", "aria-label": label, disabled: !other,
      on: { click: () => { client.stack[client.stack.length - 1] = { ...view, entry: other, index: index + by, title: String(other.title ?? "") }; client.changed(); } },
    }, icon(name));
  };
  return [place, entry.caption_text ? el("p", { class: "caption", dir: "auto", text: String(entry.caption_text) }) : null, el("div", { class: "steps" }, step(-1, "back", "The photo before"), step(1, "chevron", "The next photo"))];
}
