import { el } from "../../core/element.js";
import { text } from "../values.js";

/** A picture by its URL, or one that a page has preloaded, by its id. Its height follows from its own ratio. */
export function drawImage(component, pointer, { host, client, redraw }) {
  const url = text(component.url) || client.images.get(component.id) || "";
  const picture = host.image(url || "about:blank");
  picture.addEventListener?.("load", redraw);
  return el("div", { class: "image" }, picture);
}
