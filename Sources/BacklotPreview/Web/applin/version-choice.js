import { el } from "../core/element.js";
import { RELEASES } from "./versions.js";

/** The choice of the client's release, in the bar above the phone. */
export function versionChoice(client) {
  const options = [["", "Newest client"], ...RELEASES.map(([first, last]) => [last, first === last ? `Client ${last}` : `Client ${first} to ${last}`])];
  const select = el("select", { "data-choice": "client", "aria-label": "Client", title: "The release of the client", on: { change: () => client.choose(select.value) } },
    options.map(([value, text]) => el("option", { value, text })));
  select.value = client.chosen ?? "";
  return select;
}
