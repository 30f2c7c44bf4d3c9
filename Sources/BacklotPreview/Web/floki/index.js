// The Floki client: the version indicator, the app data, and the views of its tabs.
//
// Facts of the app: `indicator`, the path of the version indicator.

import { Client } from "./client.js";
import { Drawing } from "./drawing.js";
import { writeTest } from "./test-writer.js";
import { childrenOf, describe } from "./tree.js";

export function start(host) {
  const client = new Client(host);
  const drawing = new Drawing(host, client);
  client.onChange = () => drawing.draw();
  return {
    launch: () => client.launch(),
    draft: (document, text) => client.draft(document, text),
    endDraft: () => client.endDraft(),
    refresh: (reason) => {
      host.problem(reason);
      return client.again();
    },
    restart: () => client.restart(),
    state: () => client.place,
    restore: (place) => {
      client.roots.clear();
      Object.assign(client, { kept: place, language: place.language });
      return client.launch();
    },
    sessionToken: undefined,
    test: (steps) => writeTest(steps, host),
    boundTo: ["platform", "tablet"],
    children: childrenOf,
    describe,
    links: (origin) => [{ label: "The version indicator", url: `${origin}${host.facts.indicator}` }],
  };
}
