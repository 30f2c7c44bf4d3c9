import { el, icon } from "../core/element.js";

/** The bar above a view: back or another button at its start, the title, and the view's actions. */
export function drawBar(view, { client }, { isBelow = client.stack.length > 0, start = null } = {}) {
  const button = (key, label, name, click, isOff = false) => el("button", { type: "button", class: "bar-button", "data-key": key, "aria-label": label, title: label, disabled: isOff, on: { click } }, icon(name));
  const back = isBelow ? el("button", { type: "button", class: "back", "data-key": "back", "aria-label": "Back", on: { click: () => client.back(view) } }, icon("back"), el("span", { text: "Back" })) : null;
  const steps = view?.type === "Item_view_controller" && view.siblings.length > 1
    ? [button("before", "The item before", "up", () => client.step(-1), !client.sibling(-1)), button("after", "The next item", "down", () => client.step(1), !client.sibling(1))] : null;
  const reload = view?.feed && !view.tag && view.data.allow_manual_reload === true
    ? button("reload", "Reload", "refresh", () => { client.host.step({ do: "refresh" }); client.refresh(); }) : null;
  const share = typeof view?.entry?.share_url === "string" ? button("share", "Share", "share", () => client.share(view.entry)) : null;
  return el("header", { class: "title-bar" }, el("div", { class: "start" }, start, back), el("h1", { class: "title", dir: "auto", tabindex: "-1", text: view?.title ?? "" }),
    el("div", { class: "end" }, steps, reload, share, isBelow || view !== client.list ? null : languages(client)));
}

/** The device's language, which a phone has in its settings. */
function languages(client) {
  if (client.texts.codes.length < 2) return null;
  const select = el("select", { class: "language", "data-key": "language", "aria-label": "Language", title: "The device's language", on: { change: () => client.setLanguage(select.value) } },
    client.texts.codes.map((code) => el("option", { value: code, text: code })));
  select.value = client.language;
  return select;
}
