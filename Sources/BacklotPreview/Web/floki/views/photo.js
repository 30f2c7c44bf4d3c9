import { el, icon } from "../../core/element.js";
import { words } from "../values.js";

/** One picture. A double tap enlarges it to `max_zoom`; a tap shows and hides its words. */
export function drawPhoto(view, { client, host }) {
  const { entry } = view;
  const zoom = typeof entry.max_zoom === "number" && entry.max_zoom >= 1 ? Math.min(entry.max_zoom, 10) : 2;
  const place = el("div", { class: "photo" }, host.image(view.url));
  place.style.setProperty("--zoom", String(zoom));
  const enlarge = el("button", { type: "button", class: "step", "aria-label": "Enlarge", "aria-pressed": "false", disabled: zoom === 1, on: { click: () => turn() } }, icon("search"));
  const turn = () => {
    if (zoom > 1) enlarge.setAttribute("aria-pressed", String(place.classList.toggle("large")));
  };
  const step = (by, name, label) => el("button", { type: "button", class: "step", "data-key": `step${by}`, "aria-label": label, disabled: !client.sibling(by), on: { click: () => client.step(by) } }, icon(name));
  const caption = words(entry.caption_text) === "" ? null : el("p", { class: "caption", dir: "auto", text: entry.caption_text });
  place.addEventListener("dblclick", turn);
  place.addEventListener("click", (event) => event.detail === 1 && caption && (caption.hidden = !caption.hidden));
  return [place, caption, el("div", { class: "steps" }, step(-1, "back", "The photo before"), enlarge, step(1, "chevron", "The next photo"))];
}
