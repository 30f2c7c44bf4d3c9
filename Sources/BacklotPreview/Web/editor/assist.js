// Completes words at the cursor, and says what they mean.

import { LARGE } from "./draft.js";
import { contextAt, valueOf } from "./places.js";
import { cursorIn } from "./yaml-places.js";

/** The most words that are offered before anything is typed. */
const MANY = 60;

export class Assist {
  constructor(draft) {
    this.draft = draft;
    /** The words of the document; null while nobody knows them. */
    this.words = null;
    /** The file's name; null for JSON that is in no file. */
    this.name = null;
  }

  context(text, offset) {
    if (!this.words || text.length > LARGE) return null;
    return { ...contextAt(this.draft.parts(text, this.name).root, offset), value: this.draft.value(text, this.name) };
  }

  /** The part that is being written at an offset. */
  cursor(text, offset) {
    if (!/\.ya?ml$/i.test(this.name ?? "")) return this.context(text, offset);
    const at = this.words && text.length <= LARGE ? cursorIn(text, offset) : null;
    return at && { ...at, value: valueOf(at.root) };
  }

  /** What fits at an offset: `{list: [{text, shown, meaning}], start, end}`; null for nothing. */
  hints(text, offset, isAsked) {
    const at = this.cursor(text, offset);
    if (!at || (!at.isKey && (at.node?.kind === "object" || at.node?.kind === "array"))) return null;
    const typed = text.slice(at.start, offset).replaceAll('"', "").toLowerCase();
    const rank = ({ shown }) => (shown.toLowerCase().startsWith(typed) ? 0 : shown.toLowerCase().includes(typed) ? 1 : 2);
    const list = (at.isKey ? this.keys(at, text) : this.values(at)).filter((one) => rank(one) < 2).sort((one, other) => rank(one) - rank(other));
    // A complete word needs no completion.
    if (!isAsked && (list.length > MANY || list[0]?.shown.toLowerCase() === typed)) return null;
    return { list, start: at.start, end: Math.max(at.end, offset) };
  }

  keys(at, text) {
    const written = new Set((at.parent?.members ?? []).map(({ key }) => key).filter((key) => key !== at.key));
    const hasColon = at.hasColon ?? /^\s*:/.test(text.slice(at.end, at.end + 100));
    return this.words.keys(at.steps, at.value).filter(({ name }) => !written.has(name))
      .map(({ name, meaning }) => ({ shown: name, meaning, text: this.written(name) + (hasColon ? "" : ": ") }));
  }

  values(at) {
    return this.words.values(at.steps, at.value).map(({ value, meaning }) => ({ shown: String(value), meaning, text: this.written(value) }));
  }

  /** A value in the file's form: in YAML without needless quotes. */
  written(value) {
    const isPlain = /\.ya?ml$/i.test(this.name ?? "") && (typeof value !== "string" || (/^[A-Za-z_/][\w ./-]*$/.test(value) && !/^(?:true|false|null)$/i.test(value)));
    return isPlain && (value === null || typeof value !== "object") ? String(value) : JSON.stringify(value);
  }

  /** The meaning of the word at an offset; empty if unknown. */
  meaning(text, offset) {
    const at = this.context(text, offset);
    if (!at) return "";
    const steps = at.isKey && at.key !== null ? [...at.steps, at.key] : at.steps;
    return this.words.meaning(this.words.at(steps, at.value), at.isKey ? undefined : at.node?.value);
  }
}
