// The places of the parts of a JSON text, even of an incomplete one.

/** The deepest nesting of parts. */
const DEPTH = 500;
const LITERAL = /[^\s,:[\]{}"]+/y;

/**
 * Reads a text as far as it can be read.
 *
 * A part is `{kind, start, end, value}`; an object has `members`, each `{key, start, end, node}`, and an array `items`. Offsets
 * count UTF-16 units. `error` is the first mistake, `{offset, message}`, or null.
 */
export function scan(text) {
  let at = 0;
  let error = null;
  const fail = (message, offset = at) => {
    error ??= { offset, message };
  };
  const skip = () => {
    for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; code = text.charCodeAt(at)) at += 1;
  };

  function string() {
    const start = at++;
    while (at < text.length && text[at] !== '"' && text[at] !== "\n") at += text[at] === "\\" && text[at + 1] !== "\n" ? 2 : 1;
    at = Math.min(at, text.length);
    if (text[at] !== '"') {
      fail("The text has no end on its line: write \" after it.", start);
      return { kind: "string", start, end: at, value: text.slice(start + 1, at), isOpen: true };
    }
    const raw = text.slice(start, ++at);
    try {
      return { kind: "string", start, end: at, value: JSON.parse(raw) };
    } catch {
      fail("This text can't be read: after \\ stands one of \" \\ / b f n r t, or u with four digits, and control characters are escaped.", start);
      return { kind: "string", start, end: at, value: raw.slice(1, -1) };
    }
  }

  function literal() {
    LITERAL.lastIndex = at;
    const word = LITERAL.exec(text)?.[0] ?? "";
    const start = at;
    if (word === "") {
      fail(at < text.length ? `A value belongs here, not ${text[at]}` : "The text ends where a value belongs.");
      return { kind: "missing", start, end: start, value: undefined };
    }
    at += word.length;
    try {
      return { kind: "literal", start, end: at, value: JSON.parse(word) };
    } catch {
      fail(`${word.slice(0, 40)} is no value: texts stand between quotes.`, start);
      return { kind: "literal", start, end: at, value: undefined };
    }
  }

  /** The contents of brackets, up to the closing one. */
  function parts(close, read) {
    for (at += 1; ;) {
      skip();
      if (at >= text.length) return fail(`The text ends without ${close}.`);
      if (text[at] === close) return void (at += 1);
      const before = at;
      read();
      skip();
      if (text[at] === ",") {
        const comma = at++;
        skip();
        if (text[at] === close) fail(`After this comma nothing follows but ${close}: remove it.`, comma);
      } else if (at < text.length && text[at] !== close) {
        fail(`A comma or ${close} belongs here.`);
        // Text that can't be a part is skipped, and another kind of bracket ends this part.
        if (at === before || /[\]}:]/.test(text[at])) {
          if (/[\]}]/.test(text[at])) return undefined;
          at += 1;
        }
      }
    }
  }

  function value(depth) {
    skip();
    const character = text[at];
    if (character === '"') return string();
    if (character !== "{" && character !== "[") return literal();
    const node = { kind: character === "{" ? "object" : "array", start: at, end: at };
    if (depth > DEPTH) {
      fail("Parts stand too deep in each other here.");
      node[node.kind === "array" ? "items" : "members"] = [];
      at = text.length;
    } else if (node.kind === "array") {
      node.items = [];
      parts("]", () => node.items.push(value(depth + 1)));
    } else {
      node.members = [];
      parts("}", () => {
        const start = at;
        const name = text[at] === '"' ? string() : literal();
        if (name.kind !== "string") fail("A key belongs here, between quotes.", start);
        const member = { key: String(name.value ?? ""), start, end: at, node: null };
        node.members.push(member);
        skip();
        if (text[at] === ":") {
          at += 1;
          member.node = value(depth + 1);
        } else {
          fail("A colon and a value belong after the key.");
          member.node = { kind: "missing", start: at, end: at, value: undefined };
        }
      });
    }
    node.end = at;
    return node;
  }

  const root = value(0);
  skip();
  if (at < text.length) fail("Nothing may follow here.");
  return { root, error };
}

/** The value of a part, as far as it can be read. */
export function valueOf(node) {
  if (node?.kind === "array") return node.items.map(valueOf);
  if (node?.kind !== "object") return node?.value;
  return Object.fromEntries(node.members.map(({ key, node: inner }) => [key, valueOf(inner)]));
}

/** The part that a JSON pointer names, or the nearest around it: `{start, end}`, of its key where that is meant. */
export function placeOf(root, pointer, isKey = false) {
  let node = root;
  let place = { start: root.start, end: root.end };
  for (const step of pointer.split("/").slice(1).map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"))) {
    const member = node.members?.findLast(({ key }) => key === step);
    const next = member ? member.node : node.items && itemsOf(node)[Number(step)];
    if (!next) break;
    const isWhole = !isKey && !next.members && !next.items;
    place = isWhole ? { start: next.start, end: next.end } : { start: member ? member.start : next.start, end: member ? member.end : next.start + 1 };
    node = next;
  }
  return place;
}

/** The items that a list becomes. A block (`"{{#each data.cart}}": …`) becomes what stands in it, once. */
function itemsOf({ items }) {
  return items.flatMap((item) => {
    if (!item.members?.length || !item.members.every(({ key }) => key.startsWith("{{"))) return [item];
    const block = item.members.find(({ key }) => key.startsWith("{{#"))?.node;
    return block ? block.items ?? [block] : [];
  });
}

/**
 * What stands at an offset: `{steps, node, parent, isKey, start, end}`. `steps` lead to the part; for a key, to the object that it is
 * in, which is `parent`.
 */
export function contextAt(root, offset) {
  const steps = [];
  let node = root;
  let parent = null;
  for (;;) {
    const inside = (part) => part.start <= offset && offset <= part.end;
    if (node.members && offset > node.start && (offset < node.end || node.end === node.start)) {
      const member = node.members.findLast((one) => one.start <= offset && offset <= Math.max(one.end, one.node.end));
      if (!member || (offset <= member.end && offset >= member.start)) {
        return { steps, node, parent: node, isKey: true, key: member?.key ?? null, start: member?.start ?? offset, end: member?.end ?? offset };
      }
      steps.push(member.key);
      [parent, node] = [node, member.node];
      if (offset < node.start) return { steps, node, parent, isKey: false, start: offset, end: offset };
      continue;
    }
    if (node.items && offset > node.start && offset < node.end) {
      const index = node.items.findLastIndex(inside);
      if (index < 0) return { steps: [...steps, String(node.items.length)], node: null, parent: node, isKey: false, start: offset, end: offset };
      steps.push(String(index));
      [parent, node] = [node, node.items[index]];
      continue;
    }
    return { steps, node, parent, isKey: false, start: node.start, end: node.end };
  }
}

/** A text on one line, on several; one on several stays as it is written. Its numbers and texts keep their form. */
export function indented(text) {
  if (text.trimEnd().includes("\n") || scan(text).error) return text;
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  return text.trim().replace(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|\s+/g, (token) => {
    if (/^\s+$/.test(token)) return "";
    if (/^[[{]\s*[\]}]$/.test(token)) return token[0] + token.at(-1);
    if (token === ":") return ": ";
    if (token === ",") return `,${line()}`;
    if (token === "{" || token === "[") return token + (depth += 1, line());
    if (token === "}" || token === "]") return (depth -= 1, line()) + token;
    return token;
  }) + "\n";
}
