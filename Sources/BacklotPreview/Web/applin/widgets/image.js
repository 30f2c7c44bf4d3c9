import { el } from "../../core/element.js";
import { text } from "../texts.js";

/** The URL's meaning differs from that of pages: `/x` is below the host's root, for any base URL. */
export function drawImage(node, pointer, { host }) {
  const disposition = ["fit", "stretch"].includes(node.disposition) ? node.disposition : "cover";
  const place = el("div", { class: `image ${disposition}` }, host.image(text(node.url), location.origin + host.basePath));
  const ratio = typeof node.aspect_ratio === "number" && node.aspect_ratio > 0 ? node.aspect_ratio : 1;
  place.style.setProperty("aspect-ratio", String(ratio));
  return place;
}
