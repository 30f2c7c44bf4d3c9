// The releases of the client, and what each of them knows: as measured on the released clients.

import { el } from "../core/element.js";
import { control } from "../phone/controls.js";

/** The releases, newest first. Those from the first to the last of a group do the same. */
export const RELEASES = [
  ["0.38", "0.40"], ["0.36", "0.37"], ["0.35", "0.35"], ["0.34", "0.34"], ["0.33", "0.33"], ["0.32", "0.32"], ["0.31", "0.31"], ["0.28", "0.30"], ["0.25", "0.27"],
  ["0.24", "0.24"],
];

/** The newest release that speaks a dialect. */
export function newest(dialect) {
  return dialect === "documented" ? "0.30" : "0.40";
}

/** Whether a release is the other or a later one. */
export function isSince(version, other) {
  return minor(version) >= minor(other);
}

function minor(version) {
  return Number(version.split(".")[1]);
}

/** The releases in which widgets and actions are known: from the first, and before the second. */
const KNOWN = {
  selector: ["0.28"], checkbox_button: ["0.38"], modal: ["0.31"], on_user_error_poll: ["0.24", "0.32"], reset_var: ["0.36"], stop_actions: ["0.35"],
};

/** The first releases that read a key; earlier ones pass over it. */
const KEYS = { poll_delay_ms: "0.25", validated: "0.33", on_user_error_poll: "0.32" };

/** A document as a release reads it: without the keys that it doesn't know. `text` is what the document was read from. */
export function readAs(document, text, version) {
  const unread = Object.keys(KEYS).filter((key) => !isSince(version, KEYS[key]));
  if (unread.length === 0) return document;
  return JSON.parse(text, (name, value) => {
    if (typeof value?.typ !== "string") return value;
    for (const key of unread) delete value[key];
    if (value.typ === "checkbox" && !isSince(version, "0.25")) delete value.actions;
    return value;
  });
}

/** Why a release rejects a page, as far as that differs from others; null where it doesn't. */
export function rejection(page, version) {
  const isKnown = (typ) => {
    const [first, end] = Object.hasOwn(KNOWN, typ) ? KNOWN[typ] : ["0.0"];
    return isSince(version, first) && !(end && isSince(version, end));
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
