// Variables as they go into the body of a POST.

import { isSince } from "./versions.js";

/** Whether a client makes objects and arrays of names with `#` and `%`; earlier ones send all names as they stand. */
function isNesting(version) {
  return isSince(version, "0.34");
}

/**
 * The object that a release of the client sends: `name#key` goes into an object, and `name%item` into an array.
 *
 * Throws an `Error` where the client fails: names contradict each other, or can't be divided.
 */
export function sentVariables(inputs, valueOf, version) {
  const sent = new SentVariables(isNesting(version));
  for (const input of inputs) {
    const value = valueOf(input);
    // A page that shares the variable may have set it to another type; then it isn't sent.
    if (typeof value !== typeof input.initial || sent.add(input.name, value)) continue;
    const isTwice = inputs.filter(({ name }) => name === input.name).length > 1;
    throw new Error(isTwice ? `has two inputs for the variable '${input.name}'`
      : `can't send the variable '${input.name}': its name contradicts another, or begins or ends with # or %`);
  }
  return sent.object;
}

class SentVariables {
  constructor(isNested) {
    this.object = {};
    this.isNested = isNested;
  }

  /** Adds a variable; false where the client fails. */
  add(name, value) {
    if (!this.isNested) return put(this.object, name, value);
    const separator = name.includes("%") ? "%" : "#";
    if (!name.includes(separator)) return !Object.hasOwn(this.object, name) && put(this.object, name, value);
    // Empty parts are dropped, and so is a third.
    const [key, rest] = name.split(separator).filter((part) => part !== "");
    if (rest === undefined) return false;
    const before = Object.hasOwn(this.object, key) ? this.object[key] : undefined;
    if (separator === "%") {
      // The item exists for any value of its input.
      return (before === undefined || Array.isArray(before)) && put(this.object, key, [...(before ?? []), rest]);
    }
    if (before !== undefined && (typeof before !== "object" || Array.isArray(before))) return false;
    const entries = before ?? {};
    put(entries, rest, value);
    return put(this.object, key, entries);
  }
}

/** Sets a member of any name. */
function put(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return true;
}

/** The body: as clients of iOS write it, with each slash escaped. */
export function requestBody(variables) {
  return JSON.stringify(variables).replaceAll("/", "\\/");
}
