// The client for Dynamic Views: a document of widgets, and what people do with them, sent back.

import { Client } from "./client.js";
import { Drawing } from "./drawing.js";
import { childrenOf, describe } from "./tree.js";

export function start(host) {
  const client = new Client(host);
  const drawing = new Drawing(host, client);
  client.onChange = () => drawing.draw();
  return {
    launch: () => client.load(),
    draft: (document, text) => client.draft(document, text),
    endDraft: () => client.endDraft(),
    refresh: (reason) => {
      host.problem(reason);
      return client.load();
    },
    restart: () => client.restart(),
    forgetVariables: () => client.forget(),
    state: () => ({
      stack: [...client.stack], stored: { ...client.stored }, hidden: [...client.hidden], hasDeveloperMode: client.hasDeveloperMode,
      versionTaps: client.versionTaps, asksForPassword: client.asksForPassword,
    }),
    restore: ({ stack, stored, hidden, ...more }) => {
      Object.assign(client, { stack: [...stack], stored: { ...stored }, hidden: new Set(hidden), ...more });
      host.clearSteps();
      client.keep();
      return client.load();
    },
    sessionToken: undefined,
    test: (steps) => `// Interactions, in their order:\n${steps.filter((step) => step.do === "interact").map((step) => `// ${JSON.stringify(step.body)}`).join("\n")}\n`,
    boundTo: ["platform"],
    children: childrenOf,
    describe,
    links: (origin) => [{ label: "The document", url: `${origin}${client.path}` }],
  };
}
