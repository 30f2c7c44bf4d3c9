// An Xpedite client's state and behaviour: packets to one address, a token, fields, tables, and kept values.

import { deviceOf } from "./device.js";
import { KeptPages } from "./kept-pages.js";
import { list, text } from "./values.js";

export class Client {
  constructor(host) {
    this.host = host;
    this.device = deviceOf(host.memory);
    this.token = null;
    this.version = null;
    /** The page that is shown. */
    this.packet = null;
    this.findings = [];
    /** The values that were sent for it. */
    this.lastCall = null;
    this.defaults = {};
    /** The navigations and pictures that were sent once. */
    this.navigations = new Map();
    this.images = new Map();
    this.kept = new KeptPages();
    /** The fields' values, by form ("" for fields outside of forms) and name. */
    this.values = new Map();
    /** The rows of tables: `{rows, hasMore, isLoading, error}` by method. */
    this.tables = new Map();
    this.dialog = null;
    this.isBusy = false;
    this.onChange = () => {};
  }

  // Calls

  async connect() {
    this.token = null;
    this.navigations.clear();
    this.images.clear();
    this.defaults = {};
    this.host.clearSteps();
    this.host.step({ do: "connect" });
    await this.show({ method: "setConnection", ...this.device });
  }

  /** Calls what a method dict names. */
  async call(method, more = {}) {
    if (this.isBusy || typeof method?.function !== "string") return;
    const packet = { method: method.function, token: this.token };
    if (method.parameters && typeof method.parameters === "object") packet.parameters = { ...method.parameters };
    if (method.formdata === true) packet.formdata = this.formData();
    await this.show({ ...packet, ...more });
  }

  /** Shows a response that somebody writes in place of the last one, until the draft ends or something is called. */
  draft(packet) {
    if (!Array.isArray(packet?.components)) throw new Error('An answer with a page has "components".');
    this.take(packet, this.lastCall, [], true, true);
    this.changed();
    const take = (findings) => {
      if (this.packet !== packet) return;
      this.findings = findings;
      this.host.shown({ findings });
    };
    return { path: this.lastCall?.method ?? "setConnection", take };
  }

  endDraft() {
    this.isDraft = false;
    return this.again("The draft has ended.");
  }

  /** Shows what the server has now. A call with effects isn't sent twice. */
  async again(reason) {
    if (this.isDraft) return;
    this.host.problem(reason);
    if (!this.lastCall || this.lastCall.formdata) return;
    if (this.lastCall.method === "setConnection") this.token = null;
    await this.show({ ...this.lastCall, ...(this.lastCall.token ? { token: this.token } : {}) }, true);
  }

  async show(packet, isAgain = false) {
    this.isDraft = false;
    this.isBusy = true;
    this.changed();
    try {
      let response;
      try {
        response = await this.exchange(packet);
      } catch (error) {
        const page = error.isAway ? this.kept.page(packet) : null;
        if (!page) throw error;
        this.host.problem(`${error.message}. The client shows the page that it has kept.`);
        return this.take(page, packet, [], isAgain);
      }
      if (response.rc !== 0) {
        const words = (Array.isArray(response.components) ? response.components : []).map((component) => component?.text).filter((text) => typeof text === "string");
        if (isAgain && packet.token) return await this.begin(packet);
        throw new Error(words.join("\n") || `The server answered with the return code ${response.rc}.`);
      }
      if (Number.isInteger(response.version) && this.version !== response.version) {
        if (this.version !== null) {
          this.kept = new KeptPages();
          this.navigations.clear();
        }
        this.version = response.version;
      }
      this.kept.keep(response, packet);
      const findings = (await this.host.inspect(packet.method, JSON.stringify(response))) ?? [];
      this.take(response, packet, findings, isAgain);
    } catch (error) {
      this.dialog = { title: "Error", text: error.message };
      this.host.problem(error.message);
    } finally {
      this.isBusy = false;
      this.changed();
    }
  }

  /** The session was lost with its server: a new one begins and requests the page. */
  async begin(packet) {
    this.token = null;
    this.navigations.clear();
    this.defaults = {};
    const first = { method: "setConnection", ...this.device };
    const start = await this.exchange(first);
    this.take(start, first, [], false);
    const again = { ...packet, token: this.token };
    const response = await this.exchange(again);
    if (response.rc === 0) this.take(response, again, [], true);
  }

  /** Sends a packet. The response's token is the session's from then on: a log-in gives it a new one. */
  async exchange(packet) {
    const response = await this.host.send({
      method: "POST", url: this.host.basePath, headers: { "Content-Type": "application/json" }, body: JSON.stringify(packet),
      note: packet.method, variables: packet,
    });
    if (response.failure || response.status >= 500) {
      throw Object.assign(new Error(response.failure ? `No answer: ${response.failure}` : `The server answered ${response.status}`), { isAway: true });
    }
    if (response.status !== 200) throw new Error(`The server answered ${response.status}: clients read 200 only.`);
    let packetBack = null;
    try {
      packetBack = JSON.parse(response.text ?? "");
    } catch {
      // The code below reports it.
    }
    if (packetBack === null || typeof packetBack !== "object" || Array.isArray(packetBack)) throw new Error("The answer is no JSON object.");
    if (!Number.isInteger(packetBack.rc)) throw new Error("The answer has no return code \"rc\".");
    const { token } = packetBack;
    const mayLack = this.token === null && packetBack.rc !== 0;
    if (!mayLack && (typeof token !== "string" || token === "")) throw new Error("The response has no \"token\"; clients drop it.");
    // A response that was sent before the session got a new token has the old one.
    if ((packet.token ?? null) === this.token) this.token = token ?? null;
    return packetBack;
  }

  /** Puts a page onto the screen. */
  take(packet, call, findings, isAgain, isDraft = false) {
    // A response doesn't replace what somebody has written since its request.
    if (this.isDraft && !isDraft) return;
    Object.assign(this, { packet, lastCall: call, findings, dialog: null, panel: null, isDraft });
    if (packet.setDefaults && typeof packet.setDefaults === "object") this.defaults = packet.setDefaults;
    for (const image of list(packet.images)) if (typeof image?.id === "string" && typeof image.url === "string") this.images.set(image.id, image.url);
    for (const component of list(packet.components)) {
      if (component?.type === "navigation" && typeof component.id === "string" && component.implementation) this.navigations.set(component.id, component);
    }
    const typed = isAgain ? this.values : new Map();
    this.values = new Map();
    this.fill(list(packet.components), typed, 0);
    this.tables.clear();
    for (const method of this.tableMethods(list(packet.components), 0)) this.load(method, 0);
  }

  fill(components, typed, depth) {
    if (depth > 32) return;
    for (const component of components) {
      if (component?.type === "form") for (const field of list(component.components)) this.first(field, text(component.id), typed);
      else if (component?.type === "scrollview") this.fill(list(component.components), typed, depth + 1);
      else this.first(component, "", typed);
    }
  }

  first(field, form, typed) {
    if (typeof field?.name !== "string" || !["textbox", "password", "textview", "checkbox", "date", "select", "radio"].includes(field.type)) return;
    const value = typeof field.value === "string" ? field.value : { textbox: "", password: "", textview: "", checkbox: "0" }[field.type];
    const kept = typed.get(form)?.[field.name];
    if (kept !== undefined || value !== undefined) this.set(form, field.name, kept ?? value);
  }

  set(form, name, value) {
    const values = this.values.get(form) ?? Object.create(null);
    values[name] = value;
    this.values.set(form, values);
    this.host.view.variables = this.formData();
    this.host.dispatchEvent(new Event("variables"));
  }

  value(form, name) {
    return this.values.get(form)?.[name] ?? "";
  }

  /** Each form's values under its id, and those of other inputs beside them. */
  formData() {
    const all = { ...(this.values.get("") ?? {}) };
    for (const [form, values] of this.values) if (form !== "") all[form] = { ...values };
    return all;
  }

  // Tables

  tableMethods(components, depth) {
    if (depth > 32) return [];
    return components.flatMap((component) => {
      if (component?.type === "scrollview") return this.tableMethods(list(component.components), depth + 1);
      return component?.type === "table" && typeof component.data?.dynamic === "string" ? [component.data.dynamic] : [];
    });
  }

  /** Asks for the rows of a table, from one on. */
  async load(method, offset) {
    const before = this.tables.get(method);
    if (before?.isLoading) return;
    this.tables.set(method, { rows: offset === 0 ? [] : before?.rows ?? [], hasMore: false, isLoading: true, error: null });
    this.changed();
    const { packet } = this;
    let table;
    try {
      const response = await this.exchange({ method, token: this.token, ...(offset > 0 ? { parameters: { [this.host.facts.offset ?? "offset"]: offset } } : {}) });
      if (response.rc !== 0) throw new Error(text(list(response.components)[0]?.text) || `The return code is ${response.rc}.`);
      if (!Array.isArray(response.data)) throw new Error("The answer has no \"data\".");
      const rows = response.data.filter((row) => row !== null && typeof row === "object");
      table = { rows: [...(offset === 0 ? [] : before?.rows ?? []), ...rows], hasMore: response.max !== undefined && rows.length > 0, isLoading: false, error: null };
    } catch (error) {
      table = { rows: before?.rows ?? [], hasMore: before?.hasMore ?? false, isLoading: false, error: error.message };
      this.host.problem(`The rows of ${method}: ${error.message}`);
    }
    if (this.packet !== packet) return;
    this.tables.set(method, table);
    this.changed();
  }

  changed() {
    this.onChange();
  }
}
