import { el, icon } from "../../core/element.js";
import { text } from "../texts.js";
import { tappable } from "./button.js";

export function drawNavButton(node, pointer, context) {
  const { host } = context;
  const photo = text(node.photo_url) ? el("span", { class: "photo" }, host.image(node.photo_url, location.origin + host.basePath)) : null;
  const words = el("span", { class: "words" }, el("span", { class: "main", text: text(node.text) }),
    text(node.sub_text) ? el("span", { class: "sub", text: node.sub_text }) : null);
  const badge = text(node.badge_text) ? el("span", { class: "badge", text: node.badge_text }) : null;
  return tappable(node, context, "nav-button row", photo, words, badge, icon("chevron"));
}
