// The permitted words at each place and their meaning, from the JSON Schemas of the protocol's vocabulary.

/** The most references that are followed in a row. */
const DEPTH = 40;
/** Stands in a document for a value that may be any. */
const ANY = Symbol("any");

export class Words {
  constructor(schema) {
    this.schema = schema;
  }

  /** The words of a schema, or null. */
  static of(schema) {
    return schema ? new Words(schema) : null;
  }

  /** The schemas of a part, outermost first. `value` is the whole document's. */
  at(steps, value) {
    let schemas = this.open(this.schema, value);
    let current = value;
    for (const step of steps) {
      current = current !== null && typeof current === "object" && Object.hasOwn(current, step) ? current[step] : undefined;
      schemas = schemas.flatMap((schema) => below(schema, step).flatMap((inner) => this.open(inner, current)));
    }
    return schemas;
  }

  /** A schema, with the schemas that it refers to, as far as they fit a value. */
  open(schema, value, depth = 0) {
    if (schema === null || typeof schema !== "object" || depth > DEPTH) return [];
    const found = [schema];
    const add = (inner) => found.push(...this.open(inner, value, depth + 1));
    if (schema.$ref) add(this.schema.$defs?.[schema.$ref.slice("#/$defs/".length)]);
    for (const inner of schema.allOf ?? []) add(inner);
    for (const choice of [schema.anyOf, schema.oneOf]) {
      if (!choice || choice.every((inner) => inner.required && !inner.type && !inner.properties)) continue;
      const fitting = choice.filter((inner) => this.fits(inner, value));
      for (const inner of fitting.length > 0 ? fitting : choice) add(inner);
    }
    if (schema.if) add(this.fits(schema.if, value) ? schema.then : schema.else);
    return found;
  }

  /** Whether a value is not against a schema, as far as is needed to choose among several. */
  fits(schema, value, depth = 0) {
    if (!schema || depth > DEPTH || value === undefined || value === ANY) return true;
    if (schema.$ref) return this.fits(this.schema.$defs?.[schema.$ref.slice("#/$defs/".length)], value, depth + 1);
    const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    const types = [schema.type ?? []].flat().map((one) => (one === "integer" ? "number" : one));
    if (types.length > 0 && !types.includes(type)) return false;
    if (Object.hasOwn(schema, "const") && schema.const !== value) return false;
    if (schema.enum && !schema.enum.includes(value)) return false;
    if (schema.pattern && type === "string" && !new RegExp(schema.pattern, "u").test(value)) return false;
    if (schema.not && this.fits(schema.not, value, depth + 1)) return false;
    if (schema.allOf && !schema.allOf.every((inner) => this.fits(inner, value, depth + 1))) return false;
    if (schema.anyOf && !schema.anyOf.some((inner) => this.fits(inner, value, depth + 1))) return false;
    if (type !== "object") return !schema.required || types.length > 0;
    if (schema.required?.some((key) => !Object.hasOwn(value, key))) return false;
    if (schema.minProperties > Object.keys(value).length) return false;
    if (schema.propertyNames && !Object.keys(value).every((key) => this.fits(schema.propertyNames, key, depth + 1))) return false;
    return Object.entries(schema.properties ?? {}).every(([key, inner]) => {
      if (!Object.hasOwn(value, key)) return true;
      return (inner.const === undefined && !inner.enum) || this.fits(inner, value[key], depth + 1);
    });
  }

  /** The keys of an object: `[{name, meaning, isRequired, schema}]`. */
  keys(steps, value) {
    const schemas = this.at(steps, value);
    const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
    const found = new Map();
    for (const schema of schemas) {
      for (const [name, inner] of Object.entries(schema.properties ?? {})) {
        if (!found.has(name) || inner.const !== undefined) found.set(name, { name, meaning: this.meaning([inner]), isRequired: required.has(name), schema: inner });
      }
    }
    for (const name of schemas.flatMap((schema) => schema.if?.required ?? [])) {
      if (!found.has(name)) found.set(name, { name, meaning: "", isRequired: true, schema: {} });
    }
    return [...found.values()].filter(({ name }) => name !== "$schema").sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
  }

  /** The values that are known for a part: `[{value, meaning}]`. */
  values(steps, value) {
    const found = new Map();
    const add = (one, meaning) => found.has(one) || found.set(one, { value: one, meaning: meaning ?? "" });
    const schemas = this.at(steps, unsettled(steps, value));
    for (const schema of schemas) {
      for (const [index, one] of (schema.enum ?? []).entries()) add(one, schema.enumDescriptions?.[index]);
      if (schema.type === "boolean") for (const one of [true, false]) add(one);
      for (const one of schema.examples ?? []) add(one, "An example.");
      if (schema.default !== undefined) add(schema.default, "The default.");
    }
    if (found.size > 0) return [...found.values()];
    for (const schema of schemas) if (schema.const !== undefined) add(schema.const, schema.description);
    return [...found.values()];
  }

  /** The meaning of a part, in sentences. */
  meaning(schemas, value) {
    const names = schemas.flatMap((schema) => {
      const index = (schema.enum ?? []).indexOf(value);
      return index >= 0 && schema.enumDescriptions?.[index] ? [schema.enumDescriptions[index]] : [];
    });
    const texts = schemas.map(({ description }) => description).filter(Boolean);
    return [...new Set([...texts, ...names])].slice(0, 3).join(" ");
  }
}

/** A document with any value at the end of some steps, so that it excludes no schema. */
function unsettled(steps, value) {
  if (steps.length === 0 || value === null || typeof value !== "object") return ANY;
  const [first, ...rest] = steps;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[first] = unsettled(rest, copy[first]);
  return copy;
}

/** The schemas of what stands below a step. */
function below(schema, step) {
  const found = [];
  if (Object.hasOwn(schema.properties ?? {}, step)) found.push(schema.properties[step]);
  else if (typeof schema.additionalProperties === "object") found.push(schema.additionalProperties);
  if (schema.items && /^\d+$/.test(step)) found.push(schema.items);
  return found;
}
