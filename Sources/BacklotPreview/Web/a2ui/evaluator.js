// Values with bindings and calls.

import { parts } from "./expression.js";
import { CHECKS, FUNCTIONS, isTrue, textOf } from "./functions.js";
import { pathOf, read } from "./model.js";

/** The deepest nesting of values and calls. */
const DEPTH_LIMIT = 50;
/** The scope of components outside of templates. */
export const ROOT = { path: [], index: undefined };
const NO_EMAIL = { code: "INVALID_EMAIL", severity: "error", message: "Give an e-mail address, with an @ and a host." };

/** Computes values of a surface. `scope` is the element of a template: `{path, index}`. */
export class Evaluator {
  constructor(surface, scope = ROOT) {
    // The problems of values that became undefined because of them, and the URLs that calls have opened.
    Object.assign(this, { surface, scope, isOne: surface.isOne, errors: [], opened: [] });
  }

  /** The result of a function; undefined after an error, which `errors` keeps. */
  attempt(body) {
    try {
      return body();
    } catch (error) {
      return void this.errors.push({ surfaceId: this.surface.id, version: this.surface.version, code: "EXPRESSION_ERROR", message: error.message });
    }
  }

  value(dynamic) {
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
    if (depth > DEPTH_LIMIT) throw new Error(`A value is nested more than ${DEPTH_LIMIT} deep.`);
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

  /** The text of a `formatString`. A part with an error is empty. */
  formatted(text) {
    const one = ({ path, call, args, value }) => {
      if (path !== undefined) return read(this.surface.model, pathOf(path, this.scope.path));
      return call === undefined ? value : this.call(call, mapped(args, one));
    };
    return parts(text).map((part) => textOf(this.attempt(() => one(part)))).join("");
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
