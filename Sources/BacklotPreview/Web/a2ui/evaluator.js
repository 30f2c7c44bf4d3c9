// Values with bindings and calls.

import { parts } from "./expression.js";
import { CHECKS, FUNCTIONS, isTrue, textOf } from "./functions.js";
import { pathOf, read } from "./model.js";

/** The deepest nesting of values and calls. */
const DEPTH_LIMIT = 50;
/** The largest number of parts of a value's format strings, with those of the format strings that they evaluate. */
const PART_LIMIT = 10_000;
/** The scope of components outside of templates. */
export const ROOT = { path: [], index: undefined };
const NO_EMAIL = { code: "INVALID_EMAIL", severity: "error", message: "Give an e-mail address, with an @ and a host." };

/** An error of a limit. It ends the whole value, not only a part. */
class LimitError extends Error {}

/** Computes values of a surface. `scope` is the element of a template: `{path, index}`. */
export class Evaluator {
  constructor(surface, scope = ROOT) {
    // The problems of values that became undefined because of them, and the URLs that calls have opened.
    Object.assign(this, { surface, scope, isOne: surface.isOne, errors: [], opened: [], depth: 0, partCount: 0 });
  }

  /** The result of a function; undefined after an error, which `errors` keeps. Errors of the type `passed` are thrown. */
  attempt(body, passed) {
    try {
      return body();
    } catch (error) {
      if (passed && error instanceof passed) throw error;
      return void this.errors.push({ surfaceId: this.surface.id, version: this.surface.version, code: "EXPRESSION_ERROR", message: error.message });
    }
  }

  value(dynamic) {
    this.partCount = 0;
    return this.attempt(() => this.result(dynamic, 0));
  }

  /** The text that a value is shown as. */
  text(dynamic) {
    return textOf(this.value(dynamic));
  }

  /** The path of a binding; undefined for anything else. */
  target(dynamic) {
    const path = dynamic?.[this.isOne ? "@path" : "path"];
    return typeof path === "string" ? pathOf(path, this.scope.path) : undefined;
  }

  result(dynamic, depth) {
    if (dynamic === null || typeof dynamic !== "object") return dynamic;
    if (depth > DEPTH_LIMIT) throw new LimitError(`A value is nested more than ${DEPTH_LIMIT} deep.`);
    if (Array.isArray(dynamic)) return dynamic.map((element) => this.result(element, depth + 1) ?? null);
    const path = this.target(dynamic);
    if (path) return read(this.surface.model, path);
    const name = dynamic[this.isOne ? "@call" : "call"];
    const each = (object) => mapped(object, (value) => this.result(value, depth + 1), (key) => (this.isOne ? key.replace(/^@@/, "@") : key));
    return typeof name === "string" ? this.call(name, each(dynamic.args ?? {}), dynamic.catalogId) : each(dynamic);
  }

  /** The result of a function for arguments without bindings and calls. */
  call(name, args, catalogId) {
    if (this.isOne && name === "@index" && this.scope.index !== undefined) return this.scope.index + (args.offset ?? 0);
    if (Object.hasOwn(FUNCTIONS, name)) return FUNCTIONS[name](args, this);
    if (!Object.hasOwn(CHECKS, name) && this.isOne && name !== "@index") return this.surface.client.callServer(this.surface, name, args, catalogId);
    if (!Object.hasOwn(CHECKS, name)) throw new Error(`There is no function “${name}” in the basic catalog, or not here.`);
    const valid = CHECKS[name](args);
    return this.isOne ? { valid, ...(name === "email" && !valid ? NO_EMAIL : {}) } : valid;
  }

  /** The text of a `formatString`. A part with an error is empty, but an error of a limit ends the whole text. */
  formatted(text) {
    const one = ({ path, call, args, value }) => {
      this.partCount += 1;
      if (this.partCount > PART_LIMIT) throw new LimitError(`The formats of a value have more than ${PART_LIMIT} parts.`);
      if (path !== undefined) return read(this.surface.model, pathOf(path, this.scope.path));
      if (call === undefined) return value;
      if (this.depth >= DEPTH_LIMIT) throw new LimitError(`Calls are nested more than ${DEPTH_LIMIT} deep.`);
      this.depth += 1;
      try {
        return this.call(call, mapped(args, one));
      } finally {
        this.depth -= 1;
      }
    };
    return parts(text).map((part) => textOf(this.attempt(() => one(part), LimitError))).join("");
  }

  /** The checks of a component that fail now: `[{message, severity}]`. A check with an error fails. */
  failures(component) {
    return [component["@checks"] ?? component.checks ?? []].flat().flatMap((check) => {
      const result = this.value(check?.condition);
      return isTrue(result, this.isOne) ? [] : [{ message: textOf(result?.message ?? check?.message), severity: result?.severity ?? "error" }];
    });
  }
}

/** An object with other values and keys. */
export const mapped = (object, value, key = (name) => name) => Object.fromEntries(Object.entries(object).map(([name, one]) => [key(name), value(one) ?? null]));
