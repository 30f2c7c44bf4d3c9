// Writes what a person did as a test in Swift, with the client for tests.

import { flowTest, literal } from "../core/swift.js";

export function writeTest(steps, host) {
  const { stack } = host.view;
  // The client for tests keeps the screen below when a tag is looked up: the results stand beside it.
  const screen = stack.findLast(({ isResults }) => !isResults);
  // Another language is another device: what was done before doesn't count.
  const last = steps.findLastIndex((step) => step.do === "language");
  const launch = steps.find((step) => step.do === "launch") ?? {};
  const language = last < 0 ? launch.language : steps[last].code;
  const done = last < 0 ? steps.filter((step) => step.do !== "launch") : [{ do: "show", title: steps[last].title }, ...steps.slice(last + 1)];
  const rest = done.filter((step) => step.do !== "backFromResults");
  const isUsual = language === "en" && launch.platform !== "android";
  const before = [
    ...(isUsual ? [] : ["var configuration = FlokiClientConfiguration()"]),
    ...(language && language !== "en" ? [`configuration.language = ${literal(language)}`] : []),
    ...(launch.platform === "android" ? ["configuration.platform = .android"] : []),
  ];
  const call = `withFlokiClient(makeRouter(), at: ${literal(host.facts.indicator)}, over: reach${isUsual ? "" : ", configuration: configuration"})`;
  const end = screen ? [`#expect(app.screen?.title == ${literal(screen.title)})`] : [];
  return flowTest(host, ["Backlot", "BacklotTesting", "Testing"], call, ["try await app.launch()", ...rest.map(line), ...end], { before });
}

function line(step) {
  switch (step.do) {
    case "show": return `try await app.show(${literal(step.title)})`;
    case "open": return `try await app.open(${step.id})`;
    case "back": return "try app.back()";
    case "search": return `try await app.search(${literal(step.words)})`;
    case "moreResults": return "try await app.moreResults()";
    case "loadOlder": return "try await app.loadOlder()";
    case "refresh": return "try await app.refresh()";
    case "follow": return `try await app.follow(${literal(step.link)})`;
    default: return `// ${String(step.do).replaceAll(/\s+/g, " ")}`;
  }
}
