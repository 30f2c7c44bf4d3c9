// A document's values, made safe for any input.

/** A text; an empty one for anything else. */
export function text(value) {
  return typeof value === "string" ? value : "";
}
