// The client for A2UI: surfaces of components over a data model. The client for tests (BacklotClients) is its sibling.

import { flowTest, literal } from "../core/swift.js";
import { Client } from "./client.js";
import { childrenOf } from "./components.js";
import { Drawing } from "./drawing.js";
import { dataPanel, messagePanel } from "./panels.js";

/** The steps as calls of the client for tests. */
const CALLS = {
  tap: ({ label, number }) => `try await app.tap(${literal(label)}${number > 1 ? `, number: ${number}` : ""})`,
  enter: ({ text, field }) => `try app.enter(${literal(text)}, into: ${literal(field)})`,
  check: ({ isOn, field }) => `try app.${isOn ? "check" : "uncheck"}(${literal(field)})`,
  choose: ({ option, field }) => `try app.choose(${literal(option)}, from: ${literal(field)})`,
  back: () => "try app.back()",
};

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
    test: (steps) => flowTest(host, ["Backlot", "BacklotTesting", "Testing"], `withA2UIClient(makeRouter(), at: ${literal(host.basePath)}, over: reach)`, ["try await app.launch()", ...steps.map((step) => CALLS[step.do](step))]),
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
    const component = components.get(name);
    if (found.has(name) || !component) return;
    found.set(name, [component.pointer, component.json, depth]);
    for (const [child] of depth < 64 ? childrenOf(component.json, components) : []) visit(child, depth + 1);
  };
  for (const name of ["root", ...components.keys()]) visit(name, 1);
  return [[pointer, { id }, 0], ...found.values()];
}
