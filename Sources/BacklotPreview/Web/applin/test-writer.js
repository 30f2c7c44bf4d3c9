// Writes what a person did as a test in Swift, with the client for tests.

import { flowTest, literal } from "../core/swift.js";

const KEYWORDS = new Set(["a", "an", "the"]);

export function writeTest(steps, host) {
  const base = host.basePath === "/" ? "" : `, at: ${literal(host.basePath)}`;
  const client = host.view.client ? `, client: ${literal(host.view.client)}` : "";
  const { title, stack } = host.view;
  const end = stack.length > 0 ? [`#expect(${expectedStack(stack.map(({ path }) => path))})`, `#expect(app.title == ${title === "" ? "nil" : literal(title)})`] : [];
  const call = `withApplinClient(makeRouter()${base}, over: reach${client})`;
  return flowTest(host, ["Applin", "Backlot", "BacklotTesting", "Testing"], call, [...steps.map(line), ...end], { name: name(title) });
}

function line(step) {
  switch (step.do) {
    case "launch": return `try await app.launch(${step.paths.length === 1 && step.paths[0] === "/" ? "" : `at: ${step.paths.map(literal).join(", ")}`})`;
    case "relaunch": return "try await app.relaunch()";
    case "wait": return `try await app.wait(.seconds(${step.seconds}))`;
    case "back": return "try await app.back()";
    case "tap": {
      const which = step.number ? `, number: ${step.number}` : step.section !== undefined ? `, in: ${literal(step.section)}` : "";
      return `try await app.tap(${literal(step.label)}${which})`;
    }
    case "toggle": return `try await app.${step.isOn ? "check" : "uncheck"}(${literal(step.name)})`;
    case "enter": return `try await app.enter(${literal(step.text)}, into: ${literal(step.field)})`;
    case "choose": return `try await app.choose(${literal(step.option)}, from: ${literal(step.selector)})`;
    case "pullToRefresh": return "try await app.pullToRefresh()";
    case "uploadPhoto": return "try await app.uploadPhoto()";
    case "cancelPhoto": return "try await app.cancelPhoto()";
    default: return `// ${String(step.do).replaceAll(/\s+/g, " ")}`;
  }
}

/** The stack at that time. A path with an id is another in the next run: then only the number of pages is the same. */
function expectedStack(paths) {
  const hasID = paths.some((path) => path.split(/[/?&=]/).some((part) => /^\d+$/.test(part) || (/\d/.test(part) && /^[\w-]{12,}$/.test(part))));
  return hasID ? `app.stack.count == ${paths.length}` : `app.stack == [${paths.map(literal).join(", ")}]`;
}

/** A function's name, made of the last page's title. */
function name(title) {
  const words = title.normalize("NFKD").replaceAll(/[^A-Za-z0-9 ]/g, "").split(/\s+/).filter((word) => word && !KEYWORDS.has(word.toLowerCase()));
  const parts = words.map((word, index) => (index === 0 ? word.toLowerCase() : word[0].toUpperCase() + word.slice(1).toLowerCase()));
  const joined = parts.join("");
  return /^[a-z]/.test(joined) ? `${joined}Flow` : "recordedFlow";
}
