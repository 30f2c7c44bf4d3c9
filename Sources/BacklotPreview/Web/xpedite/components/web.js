import { el } from "../../core/element.js";
import { text } from "../values.js";
import { dress } from "../style.js";

/** A page of HTML. What is inline is shown without scripts and cut off from everything; what is on the net is only named. */
export function drawWeb(component, pointer, { host }) {
  const url = text(component.web);
  if (url) {
    return dress(el("div", { class: "web elsewhere" }, el("p", { text: "A phone shows this page here; preview asks no other host." }), el("button", {
      type: "button", class: "plain", text: url, on: { click: () => host.open(url) },
    })), { background: component.background });
  }
  const blob = URL.createObjectURL(new Blob([text(component.content)], { type: "text/html;charset=utf-8" }));
  const frame = el("iframe", { class: "web", sandbox: "", title: "A page of HTML", src: blob });
  frame.addEventListener("load", () => URL.revokeObjectURL(blob));
  return dress(frame, { background: component.background });
}
