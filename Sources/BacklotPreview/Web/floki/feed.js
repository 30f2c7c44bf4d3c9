// What a client knows of a feed. Entries stand in the order of their `sort_id`, and then of their `id`, the highest first.

export class Feed {
  constructor() {
    this.entries = new Map();
    this.sections = [];
    this.hasOlder = false;
    this.isLoading = false;
    this.error = null;
    this.updated = -Infinity;
    /** The last answer, for the view inside. */
    this.document = null;
    this.text = "";
    this.findings = [];
    /** Whether sections are open, where a person has said so. */
    this.open = new Map();
  }

  /** Takes an answer. Without `isOlder` it is the newest window. */
  take(document, isOlder) {
    const list = Array.isArray(document.items) ? document.items : Array.isArray(document.thumbs) ? document.thumbs : [];
    const key = Array.isArray(document.thumbs) ? "thumbs" : "items";
    for (const one of this.entries.values()) delete one.pointer;
    for (const [index, entry] of list.entries()) {
      if (!Number.isInteger(entry?.id) || entry.id < 1) continue;
      this.entries.set(entry.id, { ...entry, pointer: `/${key}/${index}` });
    }
    for (const id of Array.isArray(document.to_delete) ? document.to_delete : []) this.entries.delete(id);
    if (Array.isArray(document.sections)) {
      const known = new Set();
      this.sections = document.sections.map((section, index) => ({ ...section, pointer: `/sections/${index}` }))
        .filter((section) => Number.isInteger(section.id) && !known.has(section.id) && known.add(section.id)).sort(byOrder);
    } else if (!isOlder) {
      this.sections = [];
    }
    this.hasOlder = document.has_older === true;
    this.updated = performance.now();
  }

  /** The entries to be shown now. */
  get shown() {
    const now = Date.now() / 1000;
    return [...this.entries.values()].filter((entry) => !(entry.expiration_date > 0 && now > entry.expiration_date)).sort(byOrder);
  }

  get lowest() {
    return Math.min(...this.entries.keys());
  }

  get highest() {
    return Math.max(...this.entries.keys());
  }

  isOpen(section) {
    return this.open.get(section.id) ?? section.starts_collapsed === false;
  }

  /** A person opens or closes a section; others may close by it. */
  toggle(section) {
    const opens = !this.isOpen(section);
    if (opens && section.autocollapse_others !== false) for (const other of this.sections) this.open.set(other.id, false);
    this.open.set(section.id, opens);
  }
}

function byOrder(left, right) {
  return (right.sort_id ?? right.id) - (left.sort_id ?? left.id) || right.id - left.id;
}
