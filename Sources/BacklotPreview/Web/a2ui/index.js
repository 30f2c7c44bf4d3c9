// The client for A2UI: surfaces of components over a data model. The client for tests (BacklotClients) is its sibling.

import { Client } from "./client.js";
import { childrenOf } from "./components.js";
import { Drawing } from "./drawing.js";
import { dataPanel, messagePanel } from "./panels.js";

export function start(host) {
  const client = new Client(host);
  const drawing = new Drawing(host, client);
  client.onChange = () => drawing.draw();
  return {
    launch: () => client.load(),
    drafts: (document) => Array.isArray(document?.components ?? document?.messages),
    draft: (document) => client.draft(document),
    endDraft: () => client.load(),
    refresh: (reason) => client.surfaces !== client.live || client.load(client.live, host.problem(reason)),
    restart: () => client.restart(),
    state: () => ({ ...client.live.document(), local: [...client.local] }),
    restore: (state) => client.restart(state),
    test: (steps) => `// Taps and inputs, in their order:\n${steps.map((step) => `// ${JSON.stringify(step)}\n`).join("")}`,
    parts: () => [...client.surfaces.all.values()].flatMap(partsOf),
    describe: ({ id, component, text, label }) => ({ typ: component ?? "surface", label: [text, label, id].find((words) => typeof words === "string") ?? "" }),
    ownPanels: [dataPanel(host, client), messagePanel(client)],
    links: (origin) => [{ label: "The surfaces", url: origin + client.path }],
  };
}

/** The tree's lines: a surface, below it each component where it is named first, and at last those that nobody names. */
function partsOf({ id, components, pointer }) {
  const found = new Map();
  const visit = (name, depth) => {
    if (found.has(name) || !components.has(name)) return;
    const { json, pointer } = components.get(name);
    found.set(name, [pointer, json, depth]);
    for (const [child] of depth < 64 ? childrenOf(json, components) : []) visit(child, depth + 1);
  };
  for (const name of ["root", ...components.keys()]) visit(name, 1);
  return [[pointer, { id }, 0], ...found.values()];
}
