// The surfaces that the messages of a server make. Like clients, it is lenient: drawing finds wrong components.

import { pathOf, read, write } from "./model.js";

const VERSIONS = ["v0.9", "v0.9.1", "v1.0", "1.0"];
const KINDS = ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"];
/** The most surfaces at a time, and the most components of one. */
const [SURFACE_LIMIT, COMPONENT_LIMIT] = [1000, 100_000];

/** Whether a version is one of the forms of 1.0. */
export const isOne = (version) => version === "1.0" || version === "v1.0";

/** The messages in a document: a list, `{messages}`, or a single one. */
export const messagesIn = (document) => [document?.messages ?? document].flat();

/** The models of surfaces by their ids. */
export const modelsOf = ({ all }, isMeant = () => true) => Object.fromEntries([...all.values()].filter(isMeant).map(({ id, model }) => [id, model]));

/** Throws the error of a part of a message, unless it is as it should be. `path` is the pointer of the part. */
function check(isRight, path, message) {
  if (!isRight) throw Object.assign(new Error(message), { path });
}

class Surface {
  constructor({ surfaceId: id, components, dataModel: model = {}, ...creation }, version, pointer, client) {
    check(model !== null && typeof model === "object" && !Array.isArray(model), "/createSurface/dataModel", "“dataModel” must be an object.");
    Object.assign(this, { id, version, creation, pointer, isOne: isOne(version), components: new Map(), model, written: new Map(), client });
    if (components !== undefined) this.add(components, "/createSurface/components", pointer);
  }

  /** Writes what a person gave into the model. */
  set(path, value) {
    this.model = write(this.model, path, value);
    this.written.set(JSON.stringify(path), value);
  }

  /** Adds components: all, or after an error none. `pointer` is that of the message in its document. */
  add(components, path, pointer) {
    check(Array.isArray(components) && components.length > 0, path, "“components” must be a list with a component.");
    const added = new Map(this.components);
    for (const [index, json] of components.entries()) {
      const id = json?.id;
      check(typeof id === "string" && id !== "", `${path}/${index}/id`, "A component needs an “id”, a text.");
      check(added.get(id) === this.components.get(id), `${path}/${index}/id`, `The id “${id}” stands twice in a message.`);
      const component = json.component ?? (this.isOne ? undefined : added.get(id)?.json.component);
      check(typeof component === "string", `${path}/${index}/component`, `The component “${id}” has no “component”, the name of its type.`);
      added.set(id, { json: { ...json, component }, pointer: `${pointer}${path}/${index}` });
    }
    check(added.size <= COMPONENT_LIMIT, path, `A surface has more than ${COMPONENT_LIMIT} components.`);
    this.components = added;
  }
}

export class Surfaces {
  /** `client` sends messages. */
  constructor(client) {
    Object.assign(this, { client, all: new Map() });
  }

  /** Applies messages, each alone: a bad one changes nothing. Returns the errors. `pointer` is that of the list in its document. */
  apply(messages, pointer = "/messages") {
    return messages.flatMap((message, index) => {
      const { version, ...content } = message ?? {};
      const [[kind, body] = [], ...others] = Object.entries(content);
      try {
        check(VERSIONS.includes(version), "/version", `The version ${JSON.stringify(version)?.slice(0, 40) ?? "is missing: it"} must be one of ${VERSIONS.join(", ")}.`);
        const known = isOne(version) ? [...KINDS, "callRendererFunction", "agentFunctionResponse"] : KINDS;
        check(others.length === 0 && known.includes(kind), "", `Beside its version, a message has exactly one of ${known.join(", ")}.`);
        this.take(kind, body ?? {}, version, `${pointer}/${index}`);
        return [];
      } catch (error) {
        return [{ code: "VALIDATION_FAILED", path: error.path ?? `/${kind}/path`, message: error.message, surfaceId: body?.surfaceId, version: VERSIONS.includes(version) ? version : "v0.9" }];
      }
    });
  }

  take(kind, body, version, pointer) {
    const { surfaceId: id, path = "", value, functionCallId, callFunction } = body;
    // A server may call the functions that a catalog opens to it; none of the basic one is.
    const error = { code: "INVALID_FUNCTION_CALL", message: `Only the client itself may call “${callFunction?.["@call"]}”.` };
    if (kind === "callRendererFunction") return this.client.send({ version, rendererFunctionResponse: { functionCallId, error } });
    if (kind === "agentFunctionResponse") return this.client.calls.set(this.client.calls.get(functionCallId), body);
    const surface = this.all.get(id);
    check(typeof id === "string", `/${kind}/surfaceId`, "“surfaceId” must be a text.");
    check(!surface || surface.isOne === isOne(version), "/version", `The surface “${id}” speaks ${surface?.version}, the message ${version}.`);
    if (kind === "deleteSurface") return this.all.delete(id);
    const isNew = kind === "createSurface";
    check(isNew === !surface, `/${kind}/surfaceId`, `The surface “${id}” ${isNew ? "is open; delete it first" : "isn't open; create it first"}.`);
    check(!isNew || this.all.size < SURFACE_LIMIT, "/createSurface", `More than ${SURFACE_LIMIT} surfaces are open; delete some.`);
    if (isNew) return this.all.set(id, new Surface(body, version, pointer, this.client));
    if (kind === "updateComponents") return surface.add(body.components, "/updateComponents/components", pointer);
    check(typeof path === "string", "/updateDataModel/path", "“path” must be a text.");
    check(value !== undefined || !surface.isOne, "/updateDataModel/value", "“value” is missing; null deletes.");
    surface.model = write(surface.model, pathOf(path), value);
    return surface;
  }

  /** The messages that make these surfaces from nothing. The pointers are those in this document from then on. */
  document() {
    const messages = [];
    for (const surface of this.all.values()) {
      const [{ id: surfaceId, version, creation, model }, components] = [surface, [...surface.components.values()]];
      surface.pointer = `/messages/${messages.length}`;
      messages.push({ version, createSurface: { surfaceId, ...creation } }, { version, updateDataModel: { surfaceId, value: model } });
      for (const [index, component] of components.entries()) component.pointer = `/messages/${messages.length}/updateComponents/components/${index}`;
      if (components.length > 0) messages.push({ version, updateComponents: { surfaceId, components: components.map(({ json }) => json) } });
    }
    return { messages };
  }

  /** Takes over what people gave on former surfaces of the same ids, where the model still has such a place. */
  keep(former) {
    const found = [...this.all.values()].filter((surface) => former.all.get(surface.id) !== surface);
    for (const surface of found) for (const [path, value] of former.all.get(surface.id)?.written ?? []) if (read(surface.model, JSON.parse(path)) !== undefined) surface.set(JSON.parse(path), value);
  }
}
