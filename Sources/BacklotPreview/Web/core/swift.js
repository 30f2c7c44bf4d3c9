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
