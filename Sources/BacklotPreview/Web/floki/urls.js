// URLs, as clients make them.

/** The kinds of devices, as the parameter `d` tells them: 1 is an iPad, 2 a phone with a fine screen. */
const TABLET = 1;
const PHONE = 2;

/** A URL of this server as a path; null for one of another host, which preview doesn't ask. */
export function ownPath(url) {
  try {
    const parsed = new URL(url, location.origin);
    return parsed.origin === location.origin ? parsed.pathname + parsed.search : null;
  } catch {
    return null;
  }
}

/** A URL that may be relative to a feed's, which counts up to its last slash. */
export function resolved(url, base) {
  return url.includes("://") ? url : base.slice(0, base.lastIndexOf("/") + 1) + url;
}

/** The address of a feed, with what the device is and what the client has: `l`, `h` and `o`. */
export function feedURL(url, { isTablet = false, ...ids } = {}) {
  const values = { d: isTablet ? TABLET : PHONE, ...ids };
  const pairs = Object.entries(values).filter(([, value]) => value > 0).map(([name, value]) => `${name}=${value}`);
  return `${url}${url.includes("?") ? "&" : "?"}${pairs.join("&")}`;
}

/** A URL with the language, and the words and the page of a search, in their places. */
export function filled(url, language, words = "", page = 1) {
  const encoded = words.trim().split(/\s+/).map((word) => encodeURIComponent(word)).join("+");
  return url.replaceAll("_LNG_", () => language).replaceAll("_WORDS_", () => encoded).replaceAll("_PAGE_", String(page));
}

/** Whether a search's URL has the marks that it must have; clients take no other. */
export function isSearchURL(url) {
  return typeof url === "string" && url.includes("_WORDS_") && url.includes("_PAGE_");
}

/** A path as clients write that of an item: with characters encoded that needn't be. */
export function mangled(path) {
  const [, before, query] = /^([^?]*)(.*)$/.exec(path);
  return before.replaceAll("-", "%2d").replaceAll("~", "%7e") + query;
}
