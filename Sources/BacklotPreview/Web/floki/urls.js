// URLs, as clients make them.

/** The kinds of devices, as the parameter `d` tells them: 1 is an iPad, 2 a phone with a fine screen. */
const TABLET = "1";
const PHONE = "2";

/** A URL of this server as a path; null for one of another host, which preview doesn't ask. */
export function ownPath(url, base = location.origin) {
  try {
    const parsed = new URL(url, base);
    return parsed.origin === location.origin ? parsed.pathname + parsed.search : null;
  } catch {
    return null;
  }
}

/** The address of a feed: the language's code behind its URL, and what the client has, so that it gets what it lacks. */
export function feedURL(url, language, parameters = {}, isTablet = false) {
  const query = new URLSearchParams({ d: isTablet ? TABLET : PHONE });
  for (const [name, value] of Object.entries(parameters)) if (value > 0) query.set(name, String(value));
  const whole = `${url}${language}`;
  return `${whole}${whole.includes("?") ? "&" : "?"}${query}`;
}

/** A URL with marks in it, such as a search's. */
export function filled(url, language, words, page) {
  const encoded = words.trim().split(/\s+/).map(encodeURIComponent).join("+");
  return url.replaceAll("_LNG_", language).replaceAll("_WORDS_", encoded).replaceAll("_PAGE_", String(page));
}
