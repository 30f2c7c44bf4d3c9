// The data model: values by their paths. A write makes a new model, and leaves the former one unchanged.

import { expect } from "./functions.js";

/** The largest index of a list in a write, which fills the list with null before it, and the most segments of a path. */
const [INDEX_LIMIT, SEGMENT_LIMIT] = [10_000, 100];
const INDEX = /^(?:0|[1-9]\d*)$/;

/** The segments of a path: from the root on with a slash at its beginning, else from the scope on. */
export function pathOf(text, scope = []) {
  const parts = text === "." ? [] : text.split("/").filter((part) => part !== "");
  return [...(text.startsWith("/") ? [] : scope), ...parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))];
}

/** The JSON pointer of some segments; `/` for the root. */
export const pointerOf = (path) => `/${path.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;

/** The value at a path; undefined without one. */
export const read = (model, path) => path.reduce((value, step) => (value !== null && typeof value === "object" && (!Array.isArray(value) || INDEX.test(step)) && Object.hasOwn(value, step) ? value[step] : undefined), model);

/** The model with another value at a path, with the containers on the way. undefined and null delete. Throws where it can't be written. */
export function write(model, path, value) {
  const isDeletion = value === undefined || value === null;
  const fail = (why) => expect(undefined, `Can't set ${pointerOf(path).slice(0, 100)}: ${why}.`);
  if (path.length > SEGMENT_LIMIT) fail(`it has more than ${SEGMENT_LIMIT} segments`);
  const put = (former, index) => {
    if (index === path.length) return isDeletion ? undefined : value;
    const step = path[index];
    const container = former ?? (INDEX.test(step) ? [] : {});
    if (isDeletion && container !== former) return former;
    if (typeof container !== "object") fail(`before “${step}” stands a single value, which has no parts`);
    if (!Array.isArray(container)) {
      const child = put(Object.hasOwn(container, step) ? container[step] : undefined, index + 1);
      // Even the computed key __proto__ is an own one.
      return Object.fromEntries(Object.entries({ ...container, [step]: child }).filter(([, one]) => one !== undefined));
    }
    if (!INDEX.test(step)) fail(`“${step}” is a non-numeric segment in a list; write an index`);
    if (isDeletion && step >= container.length) return container;
    if (step > INDEX_LIMIT) fail(`the index ${step} is above ${INDEX_LIMIT}`);
    return Array.from({ length: Math.max(container.length, Number(step) + 1) }, (_, at) => (at === Number(step) ? put(container[at], index + 1) : container[at]) ?? null);
  };
  return put(model, 0) ?? {};
}
