import { el } from "../../core/element.js";
import { picture } from "../style.js";

/** A picture, which can be tapped. */
export function drawImage(widget, pointer, { host, client }) {
  return el("div", { class: "image" }, el("button", { type: "button", class: "tap", on: { click: () => client.interact(widget.id) } }, picture(widget.image, host)));
}
