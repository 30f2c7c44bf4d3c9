// Variables as they go into the body of a POST.

/** The object to send: `name#key` goes into an object, and `name%item` into an array. */
export function sentVariables(inputs, variables) {
  const sent = {};
  const put = (object, key, value) => Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
  const names = new Set();
  for (const { name, initial } of inputs) {
    if (names.has(name)) throw new TwoInputs(name);
    names.add(name);
    const value = Object.hasOwn(variables, name) ? variables[name] : initial;
    // A page that shares the variable may have set it to another type; then it isn't sent.
    if (typeof value !== typeof initial) continue;
    const mark = name.search(/[#%]/);
    if (mark < 0) {
      put(sent, name, value);
      continue;
    }
    const key = name.slice(0, mark);
    const rest = name.slice(mark + 1);
    const before = own(sent, key);
    if (name[mark] === "#") {
      const entries = before && typeof before === "object" && !Array.isArray(before) ? before : {};
      put(entries, rest, value);
      put(sent, key, entries);
    } else {
      // The item is there whatever its input holds.
      put(sent, key, [...(Array.isArray(before) ? before : []), rest]);
    }
  }
  return sent;
}

/** Two inputs of a page have one variable: clients can't send them. */
export class TwoInputs extends Error {
  constructor(name) {
    super(`two inputs for the variable '${name}'`);
  }
}

/** The body: as clients of iOS write it, with each slash escaped. */
export function requestBody(variables) {
  return JSON.stringify(variables).replaceAll("/", "\\/");
}
