// The places of the parts of a YAML text, in the form of places.js. It reads what files of mocks are written in: blocks, flows and
// scalars; the server judges all the rest.

const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#&*!|>'"%@`{[\]},-][^#]*?|-[^\s#][^#]*?)\s*:(?=\s|$)/;
/** The deepest nesting of parts. */
const DEPTH = 100;
/** Stands for the word at the cursor. */
const CURSOR = "\u0001";

/** Reads a text as far as it can be read; see `scan` of places.js. */
export function scanYAML(text) {
  const lines = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    const content = line.trimStart();
    if (content.trim() !== "" && !content.startsWith("#") && !/^(?:---|\.\.\.)\s*$/.test(line)) lines.push({ indent: line.length - content.length, text: content.trimEnd(), start: offset + line.length - content.length });
    offset += line.length + 1;
  }
  let at = 0;

  /** The value at the current line and the following lines of its indentation. */
  function block(indent, depth) {
    const line = lines[at];
    if (depth > DEPTH) {
      at = lines.length;
      return missing(line.start);
    }
    if (/^-(?:\s|$)/.test(line.text)) return sequence(indent, depth);
    if (KEY.test(line.text)) return mapping(indent, depth);
    const from = at++;
    return scalar(line.text, line.start, from, indent - 1);
  }

  function sequence(indent, depth) {
    const node = { kind: "array", start: lines[at].start - 1, end: 0, items: [] };
    while (at < lines.length && lines[at].indent === indent && /^-(?:\s|$)/.test(lines[at].text)) {
      const line = lines[at];
      const blanks = /^-\s*/.exec(line.text)[0].length;
      if (line.text.length > blanks) {
        lines[at] = { indent: indent + blanks, text: line.text.slice(blanks), start: line.start + blanks };
        node.items.push(block(indent + blanks, depth + 1));
      } else {
        at += 1;
        node.items.push(lines[at]?.indent > indent ? block(lines[at].indent, depth + 1) : missing(line.start + 1));
      }
    }
    node.end = end();
    return node;
  }

  function mapping(indent, depth) {
    const node = { kind: "object", start: lines[at].start - 1, end: 0, members: [] };
    while (at < lines.length && lines[at].indent === indent) {
      const line = lines[at];
      const found = KEY.exec(line.text);
      if (!found) break;
      const member = { key: plain(found[1]), start: line.start, end: line.start + found[1].length, node: null };
      node.members.push(member);
      const rest = line.text.slice(found[0].length);
      const value = rest.replace(/^\s+#.*$/, "").trimStart();
      const from = at++;
      if (value === "") {
        const next = lines[at];
        const isInside = next && (next.indent > indent || (next.indent === indent && /^-(?:\s|$)/.test(next.text)));
        member.node = isInside ? block(next.indent, depth + 1) : missing(line.start + line.text.length);
      } else {
        member.node = scalar(value, line.start + line.text.indexOf(value, found[0].length), from, indent);
      }
    }
    node.end = end();
    return node;
  }

  /** A scalar or a flow, with the lines that belong to it: those that stand further in. */
  function scalar(value, start, from, indent) {
    while (at < lines.length && lines[at].indent > indent) at += 1;
    const whole = Math.max(end(), start + value.length);
    if (/^[{[]/.test(value)) return flow(text, start, whole).node;
    if (/^[|>]/.test(value)) return { kind: "string", start, end: whole, value: text.slice(start + value.length, whole) };
    const bare = value.replace(/\s+#.*$/, "");
    return { kind: "string", start, end: at > from + 1 ? whole : start + bare.length, value: /^["']/.test(bare) ? plain(bare) : typed(bare) };
  }

  const missing = (start) => ({ kind: "missing", start, end: start, value: undefined });
  /** The end of the last line that was read. */
  const end = () => (lines[at - 1] ? lines[at - 1].start + lines[at - 1].text.length : 0);
  const root = lines.length > 0 ? block(lines[0].indent, 0) : missing(0);
  return { root, error: null };
}

/** Reads `{a: b}` and `[a, b]`, up to an end. */
function flow(text, start, end) {
  const words = /\s+|#.*|[{}[\],]|:(?=[\s,}\]])|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:[^\s,{}[\]:]|:(?![\s,}\]])|[^\S\n](?=[^\s#:,{}[\]]))+/gy;
  words.lastIndex = start;
  let token = null;
  const next = () => {
    do {
      const found = words.lastIndex < end ? words.exec(text) : null;
      token = found ? { text: found[0], start: found.index, end: found.index + found[0].length } : null;
    } while (token && /^(?:\s|#)/.test(token.text));
  };
  const value = (depth) => {
    const first = token;
    if (!first || depth > DEPTH || /^[}\],:]/.test(first.text)) return { kind: "missing", start: first?.start ?? end, end: first?.start ?? end, value: undefined };
    next();
    if (first.text !== "{" && first.text !== "[") return { kind: "string", start: first.start, end: first.end, value: /^["']/.test(first.text) ? plain(first.text) : typed(first.text) };
    const [close, node] = first.text === "{" ? ["}", { kind: "object", members: [] }] : ["]", { kind: "array", items: [] }];
    while (token && token.text !== close) {
      const before = token;
      if (node.items) {
        node.items.push(value(depth + 1));
      } else {
        const member = { key: plain(token.text), start: token.start, end: token.end, node: null };
        next();
        if (token?.text === ":") next();
        member.node = value(depth + 1);
        node.members.push(member);
      }
      if (token?.text === "," || token === before) next();
    }
    Object.assign(node, { start: first.start, end: token?.end ?? end });
    next();
    return node;
  };
  next();
  return { node: value(0) };
}

/** A text without its quotes. */
function plain(text) {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  try {
    return text.startsWith('"') ? JSON.parse(text) : text;
  } catch {
    return text.slice(1, -1);
  }
}

/** A plain scalar (YAML 1.2, section 10.3.2). */
function typed(text) {
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^(?:null|Null|NULL|~)?$/.test(text)) return null;
  return /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}

/** What may be written at an offset of a block, as `contextAt` of places.js has it, with the document around it as `root`; or null. */
export function cursorIn(text, offset) {
  const begin = text.lastIndexOf("\n", offset - 1) + 1;
  const finish = text.indexOf("\n", offset) < 0 ? text.length : text.indexOf("\n", offset);
  const line = text.slice(begin, finish);
  const [lead] = /^\s*(?:-\s+)*/.exec(line);
  if (offset < begin + lead.length) return null;
  const key = KEY.exec(line.slice(lead.length));
  const isKey = !key || offset <= begin + lead.length + key[1].length;
  const start = begin + lead.length + (isKey ? 0 : /^\s*/.exec(line.slice(lead.length + key[0].length))[0].length + key[0].length);
  if (!isKey && /^[{[|>]/.test(text.slice(start))) return null;
  const end = isKey && key ? begin + lead.length + key[1].length : start + text.slice(start, finish).replace(/\s*(?:\s#.*)?$/, "").length;
  const { root } = scanYAML(text.slice(0, start) + (isKey ? `${CURSOR}${key ? "" : ":"}` : ` ${CURSOR}`) + text.slice(end));
  const way = wayTo(root);
  return way && { ...way, root, isKey, key: null, hasColon: Boolean(key), start, end: Math.max(end, offset) };
}

/** The way to what the cursor stands for, and the object that it is a key of. */
function wayTo(node, steps = []) {
  if (node.value === CURSOR) return { steps, parent: null };
  const index = node.members?.findIndex(({ key }) => key === CURSOR) ?? -1;
  if (index >= 0) {
    node.members.splice(index, 1);
    return { steps, parent: node };
  }
  const inner = node.members?.map((member) => [member.key, member.node]) ?? node.items?.map((item, number) => [String(number), item]) ?? [];
  for (const [step, part] of inner) {
    const found = wayTo(part, [...steps, step]);
    if (found) return found;
  }
  return null;
}
