// What the paths on pages mean: `/x` under the base URL `/travel/` is `/travel/x`. No path leaves the base URL.

/** The longest path that is followed; servers refuse longer ones. */
const LONGEST = 8000;

/** The path to request; throws an `Error` with the reason if the page has no usable one. */
export function resolve(basePath, target) {
  if (target.length > LONGEST) throw new Error(`has more than ${LONGEST} bytes`);
  if (target.startsWith("//")) throw new Error("is outside the app's base URL");
  // Clients take the slash away, and read the rest as a reference (RFC 3986, section 4.2).
  if (/^\/[^/?#]*:/.test(target)) throw new Error("has a colon, so clients read a scheme before it");
  const relative = target.startsWith("/") ? `./${target.slice(1)}` : target;
  const base = location.origin + basePath;
  let url;
  try {
    url = new URL(relative, base);
  } catch {
    throw new Error("isn't a URL that clients can request");
  }
  // What is inside they find by the base's path without its last slash.
  if (url.origin !== location.origin || !url.pathname.startsWith(basePath.slice(0, -1))) throw new Error("is outside the app's base URL");
  return url.pathname + url.search;
}

/** The path of a page below the base URL, from one that begins at the host's root. */
export function below(basePath, path) {
  return `/${path.slice(basePath.length)}`;
}
