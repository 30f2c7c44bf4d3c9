// Links on web pages. A tab's regular expressions may catch one; the first that does opens what it captures.

import { object, words } from "./values.js";

const KINDS = ["tags", "videos", "gallery"];

/** What catches a link: `{kind, url, words, tab}`; null where nothing does. */
export function caught(link, tabs) {
  for (const tab of tabs) {
    const data = object(tab.data);
    for (const kind of KINDS) {
      const url = words(data[`${kind}_url`]);
      const patterns = Array.isArray(data[`${kind}_regex`]) ? data[`${kind}_regex`] : [];
      if (!url.includes("_WORDS_") || !patterns.every((pattern) => typeof pattern === "string")) continue;
      for (const pattern of patterns) {
        const found = captured(link, pattern);
        if (found !== null) return { kind, url, words: found, tab };
      }
    }
  }
  return null;
}

function captured(link, pattern) {
  try {
    return new RegExp(pattern).exec(link)?.[1] ?? null;
  } catch {
    // Clients leave out a pattern that can't be read.
    return null;
  }
}
