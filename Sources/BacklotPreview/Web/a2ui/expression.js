// The text of `formatString`: plain text, and expressions within `${…}`.

import { expect } from "./functions.js";

/** The most characters of a text, its most parts, and the deepest nesting of expressions. */
const [LENGTH_LIMIT, PART_LIMIT, DEPTH_LIMIT] = [10_000, 1000, 100];
const WORDS = new Map([["true", true], ["false", false], ["null", null]]);
const ESCAPES = { n: "\n", t: "\t", r: "\r" };

/** The parts of a text: `{value}`, `{path}` or `{call, args}`, the arguments again such parts. Throws with the position of a mistake. */
export function parts(text) {
  let at = 0;
  const fail = (why) => expect(undefined, `${why}, at character ${at} of a formatString.`);
  /** Takes what a sticky pattern matches here; undefined for nothing. */
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const expression = (depth) => {
    if (depth > DEPTH_LIMIT) fail(`expressions are nested more than ${DEPTH_LIMIT} deep`);
    take(/\s*/y);
    if (take(/\$\{\s*\}/y)) return { value: null };
    if (take(/\$\{/y)) {
      const found = expression(depth + 1);
      if (!take(/\s*\}/y)) fail(at < text.length ? "an expression goes on after its end; write }" : "an expression isn't closed; write }");
      return found;
    }
    const quoted = take(/'(?:\\[^]|[^'\\])*'|"(?:\\[^]|[^"\\])*"/y);
    if (quoted) return { value: quoted.slice(1, -1).replaceAll(/\\([^])/g, (all, sign) => ESCAPES[sign] ?? sign) };
    const number = take(/-?\.?\d(?:[eE][-+]?|[\d.])*/y);
    if (number) return /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(number) ? { value: Number(number) } : fail(`${number} isn't a number`);
    const name = take(/[\w.\-/\u0080-\uffff]+/y) ?? fail("an expression must begin with a path, a literal or a function");
    if (!take(/\s*\(/y)) return WORDS.has(name) ? { value: WORDS.get(name) } : { path: name };
    const args = {};
    const open = `the arguments of ${name} aren't closed; write )`;
    while (!take(/\s*\)/y)) {
      take(/\s*/y);
      const key = take(/[\w.\-\u0080-\uffff]+/y) ?? fail(open);
      if (!take(/\s*:/y)) fail(`${key} has no value; write a colon and one`);
      args[key] = expression(depth + 1);
      if (take(/\s*(?:,|(?=\)))/y) === undefined) fail(open);
    }
    return { call: name, args };
  };
  if (text.length > LENGTH_LIMIT) fail(`the text has more than ${LENGTH_LIMIT} characters`);
  const found = [];
  while (at < text.length) {
    const plain = take(/(?:\\\$\{|[^$\\]|\$(?!\{)|\\(?!\$\{))+/y);
    found.push(plain === undefined ? expression(0) : { value: plain.replaceAll("\\${", "${") });
    if (found.length >= PART_LIMIT) fail(`a text has more than ${PART_LIMIT} parts`);
  }
  return found;
}
