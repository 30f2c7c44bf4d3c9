// Texts of Swift.

/** A text as a literal of Swift. */
export function literal(value) {
  const escaped = [...value].map((character) => {
    switch (character) {
      case "\\": return "\\\\";
      case "\"": return "\\\"";
      case "\n": return "\\n";
      case "\r": return "\\r";
      case "\t": return "\\t";
      default: {
        const code = character.codePointAt(0);
        return code < 0x20 || code === 0x7f || code === 0x2028 || code === 0x2029 ? `\\u{${code.toString(16)}}` : character;
      }
    }
  });
  return `"${escaped.join("")}"`;
}

/** A test in Swift of what was done with a client for tests: `call` makes the client, and `lines` use it. `before` has the lines before the call. */
export function flowTest(host, imports, call, lines, { name = "recordedFlow", before = [] } = {}) {
  return [
    ...imports.map((module) => `import ${module}`),
    "",
    `// makeRouter() makes the router that ${host.program} serves.`,
    "@Test(arguments: ClientReach.allCases)",
    `func ${name}(reach: ClientReach) async throws {`,
    ...before.map((line) => `    ${line}`),
    `    try await ${call} { app in`,
    ...lines.map((line) => `        ${line}`),
    "    }",
    "}",
    "",
  ].join("\n");
}
