import { el, icon } from "../../core/element.js";
import { color } from "../colors.js";
import { resolved } from "../urls.js";
import { positive, words } from "../values.js";

/** The cells of a list, by the geometry and the colours of the tab's data. */
export function drawRows(entries, view, context) {
  const { data } = view;
  const rows = el("div", { class: data.image_alignment === 1 ? "rows image-at-end" : "rows" });
  const [height, padding] = [positive(data.row_height, 44), positive(data.padding, 3)];
  const [width, tall] = Array.isArray(data.image_size) ? data.image_size : [];
  const sizes = {
    "--row": height, "--padding": padding, "--image-width": positive(width, 30), "--image-height": positive(tall, Math.max(1, height - 2 * padding)),
    "--title-lines": positive(data.title_lines, 1), "--title-size": positive(data.title_size, 16), "--text-size": positive(data.text_size, 13), "--footer-size": positive(data.footer_size, 11),
  };
  for (const [name, value] of Object.entries(sizes)) rows.style.setProperty(name, String(value));
  const colors = { "--title-color": data.title_color, "--body-color": data.text_color, "--footer-color": data.footer_color, "--cell-color": data.back_normal_color, "--cell-highlight": data.back_highlight_color };
  for (const [name, value] of Object.entries(colors)) if (color(value)) rows.style.setProperty(name, color(value));
  // With the app's background, the texts keep their colours, which were chosen for it.
  if (color(data.back_normal_color)) rows.classList.add("painted");
  rows.style.setProperty("--footer-align", !(data.footer_alignment < 0) && !(data.footer_alignment > 0) ? "center" : data.footer_alignment < 0 ? "start" : "end");
  const siblings = (entry) => entries.filter((one) => typeof one.url === "string" && (one.class_type ?? "Item_view_controller") === (entry.class_type ?? "Item_view_controller"));
  rows.append(...entries.map((entry) => {
    const open = () => context.client.open(entry, view, data.navigation_changes_section === true ? unique([...view.feed?.shown ?? [], ...entries]).filter((one) => !one.class_type && typeof one.url === "string") : siblings(entry));
    return row(entry, view, context, open);
  }));
  return rows;
}

/** The sign that a cell opens something: the app's picture, or else an arrow. */
function disclosure(data) {
  const base64 = words(data.item_disclosure);
  return base64 === "" ? icon("chevron") : el("img", { class: "disclosure", alt: "", src: `data:image/png;base64,${base64}` });
}

function row(entry, view, { host }, open) {
  const isOpening = typeof entry.url === "string";
  const image = words(entry.image) === "" ? null : el("span", { class: "thumb" }, host.image(resolved(entry.image, view.base)));
  const part = (name, text) => (text === undefined || text === null || text === "" ? null : el("span", { class: name, dir: "auto", text: String(text) }));
  const texts = el("span", { class: "words" }, part("main", entry.title), part("sub", entry.body));
  const parts = { class: "entry", "data-pointer": entry.pointer };
  const content = [el("span", { class: "upper" }, image, texts, isOpening ? disclosure(view.data) : null), part("footer", entry.footer)];
  // Without a URL a cell has no sign that it opens something, and does nothing.
  return isOpening ? el("button", { type: "button", ...parts, "data-key": `entry-${entry.id}`, on: { click: open } }, content) : el("div", parts, content);
}

function unique(entries) {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
