// A client's copy of a feed. Entries stand in the order of their `sort_id`, and then of their `id`, the highest first.

import { now } from "../core/clock.js";
import { objects } from "./values.js";

export class Feed {
  constructor(cacheSize) {
    /** The most entries that are kept, apart from requested older ones. */
    this.cacheSize = cacheSize;
    this.kept = [];
    this.older = [];
    /** The sections; null for a feed without. */
    this.sections = null;
    this.hasOlder = false;
    this.isLoading = false;
    this.error = null;
    this.fetched = -Infinity;
    /** Whether sections are open, by their ids. */
    this.open = new Map();
  }

  /** Takes the newest window. What is there stays where it merges, as on iOS; Android replaces. */
  refresh(response, merges) {
    const found = entriesOf(response.document);
    this.kept = [...found, ...(merges ? without(this.kept, found).map(unmarked) : [])];
    this.older = [];
    this.take(response);
    this.kept = this.kept.sort(byOrder).slice(0, this.cacheSize);
  }

  /** Takes what is older than what is there. */
  extend(response) {
    this.older = [...this.older.map(unmarked), ...without(entriesOf(response.document), [...this.kept, ...this.older])];
    this.kept = this.kept.map(unmarked);
    this.take(response);
  }

  take({ document, text, findings, path }) {
    const gone = new Set(Array.isArray(document.to_delete) ? document.to_delete : []);
    this.kept = this.kept.filter(({ id }) => !gone.has(id));
    this.older = this.older.filter(({ id }) => !gone.has(id));
    this.sections = Array.isArray(document.sections) ? sectionsOf(document.sections) : null;
    // A section's initial state counts only the first time.
    for (const section of this.sections ?? []) if (!this.open.has(section.id)) this.open.set(section.id, section.starts_collapsed === false);
    this.hasOlder = document.has_older === true;
    this.fetched = performance.now();
    Object.assign(this, { document, text, findings, path, error: null });
  }

  /** The entries that haven't ended, and in a feed with sections those that are in one. */
  get shown() {
    const seconds = now() / 1000;
    const ids = this.sections && new Set(this.sections.map(({ id }) => id));
    return [...this.kept, ...this.older].sort(byOrder)
      .filter((entry) => !(entry.expiration_date > 0 && seconds > entry.expiration_date) && (!ids || sectionIDs(entry).some((id) => ids.has(id))));
  }

  /** The entries of a section. */
  of(section) {
    return this.shown.filter((entry) => sectionIDs(entry).includes(section.id));
  }

  isOpen(section) {
    return section.visible === false || section.interactive === false || this.open.get(section.id) === true;
  }

  /** A person opens or closes a section; others may close by it. */
  toggle(section) {
    const opens = !this.isOpen(section);
    if (opens && section.autocollapse_others !== false) for (const other of this.sections) this.open.set(other.id, false);
    this.open.set(section.id, opens);
  }
}

/** The entries of a response, each with its JSON pointer. Of two with one id the first counts. */
export function entriesOf(document) {
  const key = Array.isArray(document.items) ? "items" : "thumbs";
  const seen = new Set();
  return objects(document[key]).filter(([{ id }]) => Number.isInteger(id) && id > 0 && !seen.has(id) && seen.add(id))
    .map(([entry, index]) => ({ ...entry, pointer: `/${key}/${index}` }));
}

function sectionsOf(list) {
  const seen = new Set();
  return objects(list).filter(([{ id }]) => Number.isInteger(id) && id > 0 && !seen.has(id) && seen.add(id))
    .map(([section, index]) => ({ ...section, pointer: `/sections/${index}` })).sort(byOrder);
}

function sectionIDs(entry) {
  return Array.isArray(entry.section_ids) ? entry.section_ids : [];
}

/** Entries that aren't among others. */
function without(entries, others) {
  const ids = new Set(others.map(({ id }) => id));
  return entries.filter(({ id }) => !ids.has(id));
}

/** An entry of an outdated response has no place in the current one. */
function unmarked(entry) {
  return { ...entry, pointer: null };
}

function byOrder(left, right) {
  const place = (one) => (Number.isInteger(one.sort_id) ? one.sort_id : one.id);
  return place(right) - place(left) || right.id - left.id;
}
