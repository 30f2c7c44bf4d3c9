// Writes what a person did as a test in Swift, with the client for tests.

import { literal } from "../core/swift.js";

export function writeTest(steps, host) {
  return [
    "import Backlot",
    "import BacklotTesting",
    "import Testing",
    "import Xpedite",
    "",
    `// makeRouter() makes the router that ${host.program} serves.`,
    "@Test(arguments: ClientReach.allCases)",
    "func recordedFlow(reach: ClientReach) async throws {",
    `    try await withXpediteClient(makeRouter(), at: ${literal(host.basePath)}, over: reach) { app in`,
    ...steps.map((step) => `        ${line(step)}`),
    `        #expect(app.title == ${host.view.title ? literal(host.view.title) : "nil"})`,
    "    }",
    "}",
    "",
  ].join("\n");
}

function line(step) {
  switch (step.do) {
    case "connect": return "try await app.connect()";
    case "tap": return `try await app.tap(${literal(step.label)})`;
    case "tapRow": return `try await app.tapRow(${step.row})`;
    case "refresh": return "try await app.refresh()";
    case "enter": return `try app.enter(${literal(step.text)}, into: ${literal(step.field)})`;
    case "check": return `try app.check(${literal(step.field)}${step.isOn ? "" : ", false"})`;
    case "pick": return `try app.pick(${literal(step.day)}, for: ${literal(step.field)})`;
    case "choose": return `try app.choose(${literal(step.option)}, in: ${literal(step.field)})`;
    default: return `// ${String(step.do).replaceAll(/\s+/g, " ")}`;
  }
}
