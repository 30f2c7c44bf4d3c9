import { el } from "../core/element.js";

/** The numbers of the texts: the sheet's title, and an email's subject and body. */
const TEXTS = {
  Movie_view_controller: { title: 10010, subject: 10011, body: 10012 },
  Photo_view_controller: { title: 10001, subject: 10006, body: 10008, described: 10009 },
};
const NEWS = { title: 10000, subject: 10005, body: 10007 };

/** The ways to share an entry's address on the web. */
export function drawSharing(entry, { client, host }) {
  const texts = TEXTS[client.view?.type] ?? NEWS;
  const fill = (id) => client.text(id).replaceAll("<TITLE>", () => String(entry.title ?? "")).replaceAll("<URL>", () => entry.share_url).replaceAll("<PHOTO_DESC>", () => String(entry.caption_text ?? ""));
  const button = (id, name, act) => el("button", { type: "button", class: name, text: client.text(id), on: { click: () => { client.share(null); act(); } } });
  const email = () => {
    const body = fill(entry.caption_text && texts.described ? texts.described : texts.body);
    host.open(`mailto:?subject=${encodeURIComponent(fill(texts.subject))}&body=${encodeURIComponent(body)}`);
  };
  const post = (network) => () => host.problem(`A phone would post ${entry.share_url} to ${network}; preview asks no other host.`);
  return el("div", { class: "layer bottom", on: { click: (event) => event.target === event.currentTarget && client.share(null) } },
    el("div", { class: "share-sheet", role: "dialog", "aria-modal": "true", "aria-label": client.text(texts.title) },
      el("div", { class: "choices" }, el("p", { dir: "auto", text: client.text(texts.title) }), button(10002, "", () => host.copy(entry.share_url)), button(10003, "", email),
        button(10013, "", post(client.text(10013))), button(10014, "", post(client.text(10014)))),
      button(10004, "cancel", () => {})));
}
