// The Applin client. It behaves as clients on phones do; the Swift client for tests (BacklotClients/Applin) is its sibling.

import { Client } from "./client.js";
import { childrenOf, describe } from "./tree.js";
import { links } from "./links.js";
import { writeTest } from "./test-writer.js";
import { Drawing } from "./drawing.js";
import { versionChoice } from "./versions.js";

export function start(host) {
  const client = new Client(host);
  const drawing = new Drawing(host, client);
  client.onChange = () => drawing.draw();
  host.phone.controls.append(versionChoice(client));
  return {
    launch: () => client.launch(),
    draft: (document, text) => client.draft(document, text),
    endDraft: () => client.endDraft(),
    refresh: (reason) => client.refreshAll(reason),
    restart: () => client.restart(),
    forgetVariables: () => client.forgetVariables(),
    state: () => ({ paths: client.stack.map(({ path }) => path), variables: { ...client.variables } }),
    restore: async ({ paths, variables }) => {
      client.variables = { ...variables };
      client.lastError = null;
      host.clearSteps();
      host.step({ do: "launch", paths });
      await client.start(paths);
      // A step back shows the pages below.
      await client.refreshDue();
    },
    sessionToken: undefined,
    test: (steps) => writeTest(steps, host),
    children: childrenOf,
    describe,
    links: (origin) => links(origin, host.basePath, client.stack.map((entry) => entry.path)),
  };
}
