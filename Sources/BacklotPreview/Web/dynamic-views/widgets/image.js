import { el } from "../../core/element.js";
import { picture } from "../style.js";

export function drawImage(widget, pointer, { host }) {
  return el("div", { class: "image" }, picture(widget.image, host));
}
