// The texts of the app in its languages, and the clients' texts for the ones that it lacks.

import { objects } from "./values.js";

const RESERVED = {
  10000: "Share this news...", 10001: "Share this picture...", 10002: "Copy address", 10003: "Send email", 10004: "Cancel",
  10005: "<TITLE>", 10006: "<TITLE>", 10007: '<A HREF="<URL>"><URL></A>', 10008: '<A HREF="<URL>"><URL></A>', 10009: '<A HREF="<URL>"><PHOTO_DESC></A>',
  10010: "Share this movie...", 10011: "<TITLE>", 10012: '<A HREF="<URL>"><URL></A>', 10013: "Twitter", 10014: "Facebook", 10015: "Browse the sections and select an item", 10016: "Sections",
};

export class Texts {
  /** `langs` of the app data. The first is the master. */
  constructor(langs) {
    this.tables = new Map();
    for (const [one] of objects(langs)) {
      for (const [code, table] of Object.entries(one)) if (table !== null && typeof table === "object" && !this.tables.has(code)) this.tables.set(code, table);
    }
  }

  get codes() {
    return [...this.tables.keys()];
  }

  /** A text by its number. Android has no fallback; on iOS the master's stands in for one that a language lacks. */
  text(id, code, isAndroid = false) {
    for (const one of isAndroid ? [code] : [code, this.codes[0]]) {
      const found = this.tables.get(one)?.[String(id)];
      if (typeof found === "string") return found;
    }
    return RESERVED[id] ?? "";
  }
}
