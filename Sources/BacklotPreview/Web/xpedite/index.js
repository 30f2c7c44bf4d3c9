// The Xpedite client. The Swift client for tests (BacklotClients/Xpedite) is its sibling.

import { Client } from "./client.js";
import { Drawing } from "./drawing.js";
import { childrenOf, describe } from "./tree.js";
import { writeTest } from "./test-writer.js";

export function start(host) {
  const client = new Client(host);
  const drawing = new Drawing(host, client);
  client.onChange = () => drawing.draw();
  return {
    launch: () => client.connect(),
    draft: (document) => client.draft(document),
    endDraft: () => client.endDraft(),
    refresh: (reason) => client.again(reason),
    restart: () => client.connect(),
    state: () => ({ ...client.lastCall }),
    // What has changed something on the server isn't sent twice.
    restore: (call) => (call.method && call.method !== "setConnection" && !call.formdata && client.token ? client.show({ ...call, token: client.token }) : client.connect()),
    get sessionToken() {
      return client.token ?? undefined;
    },
    test: (steps) => writeTest(steps, host),
    arrange: (screen) => drawing.arrangeCopy(screen),
    children: childrenOf,
    describe,
    links: (origin) => [{ label: "The app's address", url: `${origin}${host.basePath}` }],
  };
}
