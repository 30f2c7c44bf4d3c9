import { el } from "../../core/element.js";
import { ownPath } from "../urls.js";

/** A page of HTML: without scripts, and cut off from everything. */
export function drawWeb(view, { host, client }) {
  const url = String(view.data.main_url ?? "");
  const path = ownPath(url);
  if (path === null) {
    return el("div", { class: "elsewhere" }, el("p", { text: "A phone shows this page here; preview asks no other host." }), el("button", { type: "button", class: "more", text: url, on: { click: () => host.open(url) } }));
  }
  // The page of a tab gets the language behind its address, where it has one.
  const address = view.entry ? path : path.endsWith("/") ? path + client.language : path;
  return el("iframe", { class: "web", sandbox: "", title: view.title || "A page", src: address, referrerpolicy: "no-referrer" });
}
