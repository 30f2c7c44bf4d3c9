import { el } from "../../core/element.js";
import { color } from "../colors.js";
import { resolved } from "../urls.js";
import { positive, words } from "../values.js";
import { drawEnd, drawFailure } from "./list-end.js";
import { drawSections } from "./sections.js";

/** The width of the screen that the geometry is reckoned for. */
const SCREEN = 320;

/** Pictures in rows, perhaps in sections. */
export function drawGallery(view, context) {
  const { client } = context;
  const { feed } = view;
  const { shown } = feed;
  const grid = (thumbs) => drawGrid(thumbs, shown, view, context);
  return [
    drawFailure(feed), feed.sections ? drawSections(view, client, grid) : grid(shown),
    drawEnd(feed, shown.length === 0 && !feed.sections?.length ? "There are no pictures." : "", client.offersOlder(view), () => client.loadOlder()),
  ];
}

function drawGrid(thumbs, all, view, { client, host }) {
  const { data } = view;
  const [columns, padding, height] = [Math.min(positive(data.cells_per_row, 4), SCREEN), positive(data.padding, 2), positive(data.row_height, 79)];
  const imageWidth = Math.max(1, Math.floor((SCREEN - 2 * padding) / columns - 2 * padding));
  const imageHeight = Math.max(1, height - 2 * padding);
  const left = Math.max(0, Math.floor((SCREEN - columns * (imageWidth + 2 * padding)) / 2));
  const isPhoto = (thumb) => !thumb.class_type || thumb.class_type === "Photo_view_controller";
  const photos = all.filter((thumb) => isPhoto(thumb) && typeof thumb.url === "string");
  const grid = el("div", { class: data.stretch_images === false ? "grid" : "grid stretched" }, thumbs.map((thumb) => el("button", {
    type: "button", class: "cell", "data-key": `entry-${thumb.id}`, "aria-label": words(thumb.title) || words(thumb.caption_text) || `Picture ${thumb.id}`, "data-pointer": thumb.pointer,
    on: { click: () => client.open(thumb, view, isPhoto(thumb) ? photos : []) },
  }, host.image(resolved(words(thumb.image), view.base)))));
  for (const [name, value] of Object.entries({ "--columns": columns, "--gap": padding, "--image-width": imageWidth, "--image-height": imageHeight, "--left": left })) grid.style.setProperty(name, String(value));
  for (const [name, value] of Object.entries({ "--cell-color": data.cell_normal_color, "--cell-highlight": data.cell_highlight_color })) if (color(value)) grid.style.setProperty(name, color(value));
  return grid;
}
