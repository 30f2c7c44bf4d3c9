// Writes what a person did as a test in Swift, with the client for tests.

import { flowTest, literal } from "../core/swift.js";

export function writeTest(steps, host) {
  const call = `withXpediteClient(makeRouter(), at: ${literal(host.basePath)}, over: reach)`;
  const end = `#expect(app.title == ${host.view.title ? literal(host.view.title) : "nil"})`;
  return flowTest(host, ["Backlot", "BacklotTesting", "Testing", "Xpedite"], call, [...steps.map(line), end]);
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
