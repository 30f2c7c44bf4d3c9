// What a document's values are, whatever somebody has written.

/** A text; an empty one for anything else. */
export function text(value) {
  return typeof value === "string" ? value : "";
}
