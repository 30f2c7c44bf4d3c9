// Values of documents that may be of any type.

/** An object, or an empty one for all else. */
export function object(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** The elements of an array that are objects, each with its index. */
export function objects(value) {
  return Array.isArray(value) ? value.map((one, index) => [one, index]).filter(([one]) => one !== null && typeof one === "object" && !Array.isArray(one)) : [];
}

/** An integer of at least 1, or else the usual one. */
export function positive(value, usual) {
  return Number.isInteger(value) && value > 0 ? value : usual;
}

/** A number of pixels, 0 or more, or else the usual one. */
export function pixels(value, usual) {
  return Number.isInteger(value) && value >= 0 ? value : usual;
}

/** A text; other values count as empty. */
export function words(value) {
  return typeof value === "string" ? value : "";
}
