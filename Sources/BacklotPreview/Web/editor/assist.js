// Completes words at the cursor, and says what they mean.

import { contextAt } from "./places.js";
import { LARGE } from "./draft.js";

/** How many words are offered unasked, before anything is typed. */
const MANY = 60;

export class Assist {
  constructor(draft) {
    this.draft = draft;
    /** The words of the document; null while nobody knows them. */
    this.words = null;
  }

  context(text, offset) {
    if (!this.words || text.length > LARGE) return null;
    return { ...contextAt(this.draft.parts(text).root, offset), value: this.draft.value(text) };
  }

  /** What fits at an offset: `{list: [{text, shown, meaning}], start, end}`; null for nothing. */
  hints(text, offset, isAsked) {
    const at = this.context(text, offset);
    if (!at || at.node?.kind === "object" || at.node?.kind === "array") if (!at?.isKey) return null;
    const typed = text.slice(at.start, offset).replaceAll('"', "").toLowerCase();
    const rank = ({ shown }) => (shown.toLowerCase().startsWith(typed) ? 0 : shown.toLowerCase().includes(typed) ? 1 : 2);
    const list = (at.isKey ? this.keys(at, text) : this.values(at)).filter((one) => rank(one) < 2).sort((one, other) => rank(one) - rank(other));
    // What stands there in full needs no word.
    if (!isAsked && (list.length > MANY || list[0]?.shown.toLowerCase() === typed)) return null;
    return { list, start: at.start, end: Math.max(at.end, offset) };
  }

  keys(at, text) {
    const written = new Set(at.parent.members.map(({ key }) => key).filter((key) => key !== at.key));
    const tail = /^\s*:/.test(text.slice(at.end, at.end + 100)) ? "" : ": ";
    return this.words.keys(at.steps, at.value).filter(({ name }) => !written.has(name))
      .map(({ name, meaning }) => ({ shown: name, meaning, text: JSON.stringify(name) + tail }));
  }

  values(at) {
    return this.words.values(at.steps, at.value).map(({ value, meaning }) => ({ shown: String(value), meaning, text: JSON.stringify(value) }));
  }

  /** What the word at an offset means; empty where nobody knows. */
  meaning(text, offset) {
    const at = this.context(text, offset);
    if (!at) return "";
    const steps = at.isKey && at.key !== null ? [...at.steps, at.key] : at.steps;
    return this.words.meaning(this.words.at(steps, at.value), at.isKey ? undefined : at.node?.value);
  }
}
