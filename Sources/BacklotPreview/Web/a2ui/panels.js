// A2UI's own panels of the view inside: the data models, and the messages in both directions.

import { el, fill } from "../core/element.js";
import { lines } from "../inside/json.js";

export function dataPanel(host, client) {
  const element = el("div", { class: "panel json" });
  const draw = () => fill(element, [...client.surfaces.all.values()].map(({ id, model, creation }) => [
    el("h2", { text: creation.sendDataModel ? `${id}, sent with each action` : id }), el("div", { role: "group", "aria-label": `The data model of ${id}` }, lines(model)),
  ]));
  host.addEventListener("variables", () => element.hidden || draw());
  return { title: "Data model", element, draw };
}

export function messagePanel(client) {
  const element = el("div", { class: "panel log" });
  let drawn = null;
  const row = ({ time, isOwn, message }) => {
    const [kind, { surfaceId, name, path, code } = {}] = Object.entries(message ?? {}).find(([key]) => key !== "version") ?? ["?"];
    const row = el("details", { class: "exchange" }, el("summary", {}, el("time", { text: time.toLocaleTimeString() }), el("span", { text: isOwn ? "sent" : "received" }), el("strong", { text: kind }),
      el("span", { class: "url", text: [surfaceId, name ?? code ?? path].filter(Boolean).join(" ") })));
    row.ontoggle = () => row.childElementCount === 1 && row.append(el("div", { class: "json" }, lines(message)));
    return row;
  };
  const draw = () => drawn === client.journal || fill(element, (drawn = client.journal).map(row));
  return { title: "Messages", element, draw };
}
