// How the client's releases treat pages, as measured on the released clients.

import { el } from "../core/element.js";
import { control } from "../phone/controls.js";
import { KEYS, KNOWN, NEWEST, RELEASES } from "./releases.js";

/** The newest release that speaks a dialect. */
export function newest(dialect) {
  return NEWEST[dialect] ?? NEWEST.objects;
}

/** Whether a release is the other or a later one. */
export function isSince(version, other) {
  return minor(version) >= minor(other);
}

function minor(version) {
  return Number(version.split(".")[1]);
}

/** A document as a release reads it: without the keys that it doesn't know. `text` is what the document was read from. */
export function readAs(document, text, version) {
  const isUnread = (typ, key) => !isSince(version, KEYS[typ][key]);
  if (!Object.keys(KEYS).some((typ) => Object.keys(KEYS[typ]).some((key) => isUnread(typ, key)))) return document;
  return JSON.parse(text, (name, value) => {
    if (typeof value?.typ !== "string" || !Object.hasOwn(KEYS, value.typ)) return value;
    for (const key of Object.keys(KEYS[value.typ])) if (isUnread(value.typ, key)) delete value[key];
    return value;
  });
}

/** The reason why a release rejects a page that others accept, or null. */
export function rejection(page, version) {
  const isKnown = (typ) => {
    const [first, last] = Object.hasOwn(KNOWN, typ) ? KNOWN[typ] : ["0.0"];
    return isSince(version, first) && !(last && !isSince(last, version));
  };
  const unknown = page.widgets.map(({ node }) => node.typ).find((typ) => !isKnown(typ));
  if (unknown) return `Client ${version} knows no ${unknown}, and rejects the page.`;
  const lists = [page.root.start?.actions, ...page.widgets.map(({ node }) => node.actions)].filter(Array.isArray);
  for (const list of lists) {
    for (const action of list) {
      if ((typeof action === "string") === isSince(version, "0.31")) {
        return `Client ${version} reads actions that are ${typeof action === "string" ? "objects" : "strings"}, and rejects the page.`;
      }
      const typ = typeof action === "string" ? action.split(":", 1)[0] : action?.typ;
      if (!isKnown(typ)) return `Client ${version} knows no action ${typ}, and rejects the page.`;
      if (typ === "modal" && Array.isArray(action.buttons)) lists.push(...action.buttons.map((button) => button?.actions).filter(Array.isArray));
    }
  }
  return null;
}

/** The choice of the client's release, in the bar above the phone. */
export function versionChoice(client) {
  const options = [["", "Newest client"], ...RELEASES.map(([first, last]) => [last, first === last ? `Client ${last}` : `Client ${first} to ${last}`])];
  const select = el("select", { "data-choice": "client", "aria-label": "Client", title: "The release of the client that the phone behaves as", on: { change: () => client.choose(select.value) } },
    options.map(([value, text]) => el("option", { value, text })));
  select.value = client.chosen ?? "";
  return control("Client", "box", select);
}
