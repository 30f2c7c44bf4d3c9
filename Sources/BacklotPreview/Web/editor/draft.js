// The meaning of a text: it is drawn on the phone and checked by the protocol's rules.

import { placeOf, scan, valueOf } from "./places.js";
import { scanYAML } from "./yaml-places.js";

/** Larger texts are drawn and judged only when somebody asks, in characters. */
export const LARGE = 2_000_000;
/** The rules that are about a key rather than its value. */
const ABOUT_KEYS = new Set(["unknown-key", "foreign-key"]);
/** The most findings that are underlined and listed. */
const MOST = 200;

export class Draft {
  constructor(host, files) {
    this.host = host;
    this.files = files;
    /** The last read file, by its text. */
    this.read = null;
    this.round = 0;
  }

  /** The parts of a text, in JSON unless the name says otherwise. */
  parts(text, name = null) {
    const isYAML = /\.ya?ml$/i.test(name ?? "");
    if (this.read?.text !== text || this.read.isYAML !== isYAML) {
      const { root, error } = isYAML ? scanYAML(text) : scan(text);
      this.read = { text, isYAML, root, error, value: undefined };
    }
    return this.read;
  }

  /** The value of a text, as far as it can be read. */
  value(text, name) {
    const read = this.parts(text, name);
    read.value ??= valueOf(read.root);
    return read.value;
  }

  /** Whether only the server knows what a file means: all but pages in JSON without tags. */
  needsServer(name, text) {
    return name !== null && (!this.host.app?.draft || !/\.(?:page|view)\.json$/i.test(name) || text.includes("{{"));
  }

  /** Reads a text in JSON, and draws it unless it is `quiet`. Returns what is wrong with it, or null. */
  draw(text, quiet = false) {
    let document;
    try {
      document = JSON.parse(text);
    } catch {
      const { error } = this.parts(text);
      return { start: error?.offset ?? 0, end: (error?.offset ?? 0) + 1, severity: "error", message: error?.message ?? "This is no JSON." };
    }
    const isBare = document !== null && typeof document === "object" && document.typ !== undefined && document.page === undefined;
    return this.show(isBare ? { page: document } : document, isBare ? `{"page":${text}}` : text, isBare, quiet);
  }

  show(document, text, isBare, quiet) {
    try {
      const { path, isOwn, rejected, stack } = this.host.view;
      // A client's own page, such as one of an error, stands above the page that is meant.
      const meant = isOwn ? rejected?.path ?? stack.at(-2)?.path ?? path : path;
      const shown = quiet ? { path: meant, take: () => {} } : this.host.app.draft(document, text);
      this.drawn = { ...shown, text, isBare };
      return null;
    } catch (error) {
      this.drawn = null;
      return { start: 0, end: 1, severity: "error", message: error.message };
    }
  }

  /** The findings about a text, with their places; null if the server can't be reached or a newer text is on the way. */
  async judge(name, text, quiet) {
    const round = ++this.round;
    const isServers = this.needsServer(name, text);
    // Only the server can read a text with tags.
    const hasTags = isServers && text.includes("{{");
    const isJSON = name === null || /\.json$/i.test(name);
    if (isJSON && !hasTags && text.length <= LARGE) {
      const { error } = this.parts(text);
      if (error) return [{ start: error.offset, end: error.offset + 1, severity: "error", message: error.message }];
    }
    const found = [];
    let page = null;
    if (isServers) {
      const judged = await this.files.judge(name, text).catch(() => null);
      if (round !== this.round || !judged) return null;
      for (const [severity, list] of [["error", judged.problems], ["warning", judged.warnings]]) {
        for (const { line, column, message } of list) found.push({ ...word(text, line, column), severity, message });
      }
      const { document } = judged;
      this.drawn = null;
      page = text.length <= LARGE ? pageIn(this.parts(text, name).root, judged.response) : null;
      const isWhole = Boolean(this.host.app?.drafts?.(document));
      if (document?.page || document?.widgets || isWhole) this.show(document, JSON.stringify(document), false, quiet);
      // The server has checked all of it.
      if (isWhole) return found;
    } else if (quiet) {
      this.draw(text, true);
    }
    if (!this.drawn) return found;
    const { path, take } = this.drawn;
    const all = await this.host.backend.inspect(path, this.drawn.text, hasTags);
    if (round !== this.round || !all) return null;
    // It names the file's schema, and isn't sent.
    const findings = all.filter(({ pointer }) => !/^(?:\/page)?\/\$schema$/.test(pointer));
    take(findings);
    if (!isServers && text.length <= LARGE) page = { node: this.parts(text, name).root, isBare: this.drawn.isBare };
    for (const { pointer, severity, rule, message, fix } of findings.slice(0, MOST)) {
      const steps = page?.isBare ? pointer.replace(/^\/page/, "") : pointer;
      const place = page ? placeOf(page.node, steps, ABOUT_KEYS.has(rule)) : null;
      // What keeps a file from being served has been said, with its place.
      if (found.some((one) => one.message.includes(message))) continue;
      found.push({ ...place, severity, message: `${message} ${fix}` });
    }
    return found;
  }
}

/** The part of a file that holds the page of a response, by its number; `isBare` without the object around the page. */
function pageIn(root, response) {
  const part = (node, key) => node?.members?.find((member) => member.key === key)?.node;
  const item = part(root, "responses")?.items?.[response] ?? root;
  const inner = part(item, "response") ?? item;
  const page = part(inner, "page");
  // A page may stand in the object that clients get, as in a file without other keys.
  if (page && !part(page, "page")) return { node: page, isBare: true };
  return { node: page ?? part(inner, "jsonBody") ?? inner, isBare: !page && Boolean(part(inner, "typ")) };
}

/** The place of a line and a column, from 1, up to the end of the word there. */
function word(text, line, column) {
  let start = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const next = text.indexOf("\n", start);
    if (next < 0) break;
    start = next + 1;
  }
  // Columns count code points.
  const end = text.indexOf("\n", start);
  const points = [...text.slice(start, end < 0 ? undefined : end)];
  start += points.slice(0, column - 1).join("").length;
  return { start, end: start + (/^[^\s,]+/.exec(text.slice(start, start + 200))?.[0].length ?? 1) };
}

/** The line of an offset, from 1. */
export function lineOf(text, offset) {
  return text.slice(0, offset).split("\n").length;
}
