// A client's requests to its backend, with the pages and the variables that it sends.

import { PAGE_TYPE, ShownError, checkRPC, checkStatus, readPage } from "./responses.js";
import { resolve } from "./base-url.js";
import { staticPage } from "./static-pages.js";
import { requestBody, sentVariables } from "./variables.js";
import { RELEASES } from "./releases.js";
import { newest } from "./versions.js";

export class Asking {
  constructor(host) {
    this.host = host;
    /** The pages, the visible one last: `{path, page, findings, number, updated, texts, details}`. `texts` are what its text fields show, by their
     * variables: a client keeps a field, and so its text, while the page is on the stack. `details` are what a last_error_text shows. */
    this.stack = [];
    /** The number of requests for pages so far. */
    this.asked = 0;
    this.variables = host.memory.get("variables") ?? {};
    /** The release to behave as; null for the newest that speaks the dialect. */
    this.chosen = RELEASES.map(([, last]) => last).find((version) => version === host.memory.get("client")) ?? null;
    /** The dialect of the app; null until a page has told it. */
    this.dialect = host.facts.dialect ?? null;
    /** The widgets and actions that the app's clients add to Applin's. */
    this.ownWidgets = new Set((host.facts.widgets ?? "").split(",").filter(Boolean));
    this.ownActions = new Set((host.facts.actions ?? "").split(",").filter(Boolean));
  }

  get top() {
    return this.stack.at(-1);
  }

  /** The release that the client behaves as. */
  get version() {
    return this.chosen ?? newest(this.dialect);
  }

  // Variables

  /** The value that an input shows, and the value that is sent for it. */
  value({ name, initial }) {
    return Object.hasOwn(this.variables, name) ? this.variables[name] : initial;
  }

  set(name, value) {
    Object.defineProperty(this.variables, name, { value, enumerable: true, configurable: true, writable: true });
    this.keep();
  }

  /** A person types into a text field. */
  enter(text, input, entry) {
    entry.texts.set(input.name, text);
    this.set(input.name, text);
  }

  /** The values that a new page takes over from the widgets of the page before. A field belongs to its variable; for a variable that is new, the
   * client takes the first field that is left over in the same parent, and its text with it. */
  shownOf(page, before = null) {
    const shown = (value) => (typeof value === "string" ? value : "");
    const names = new Set(page.inputs.map(({ name }) => name));
    const left = before ? [...before.page.textfields.values()].filter(({ input }) => before.texts.has(input.name) && !names.has(input.name)) : [];
    const texts = new Map();
    for (const { parent, input } of page.textfields.values()) {
      if (texts.has(input.name)) continue;
      const index = before?.texts.has(input.name) ? -1 : left.findIndex((field) => field.parent === parent);
      const known = index < 0 ? input.name : left.splice(index, 1)[0].input.name;
      texts.set(input.name, before?.texts.get(known) ?? shown(this.value(input)));
    }
    const hasDetails = page.widgets.some(({ node }) => node.typ === "last_error_text");
    return { texts, details: hasDetails ? before?.details ?? this.lastError?.message ?? "Error details not found." : undefined };
  }

  /** A person has changed an input. */
  changedByHand(widget) {
    if (Number.isInteger(widget.poll_delay_ms)) this.polls.schedule(widget.poll_delay_ms);
  }

  /** Says where a text field of the visible page shows something else than what is sent for it. */
  compareTexts() {
    const { top } = this;
    if (!top || this.isBusy) return;
    const inputs = [...top.page.textfields.values()].map(({ input }) => input);
    const differing = inputs.filter((input) => top.texts.has(input.name) && top.texts.get(input.name) !== this.value(input));
    const told = differing.map((input) => `${input.name} ${JSON.stringify(this.value(input))}`).join();
    if (told !== "" && told !== top.told) {
      const [input] = differing;
      this.host.problem(`The text field '${input.name}' goes on showing ${JSON.stringify(top.texts.get(input.name))}, but ${JSON.stringify(this.value(input))} is sent for it: `
        + "clients keep the text of a field while its page is on the stack.");
    }
    top.told = told;
  }

  // The backend

  /** The value of a promise. Throws if the app is started anew meanwhile. */
  async living(promise) {
    const { life } = this;
    const value = await promise;
    if (life !== this.life) throw new ShownError("ended", "The app was started anew.");
    return value;
  }

  /** Loads or refreshes a page: by GET, or by POST where it is on the stack and has inputs. */
  async load(path, isBackground = false) {
    const own = staticPage(path);
    if (own) return { page: own, findings: [] };
    const before = this.stack.find((entry) => entry.path === path);
    const request = { method: "GET", url: this.url(path), headers: { Accept: PAGE_TYPE }, note: isBackground ? "poll" : "page", isBackground };
    const variables = this.variablesOf(path);
    if (variables) this.post(request, variables);
    const number = (this.asked += 1);
    const response = await this.living(this.host.send(request));
    // A program's debug build says in the body why it sends no page.
    if (response.status === 500 && response.text) this.rejected = { path, text: response.text, findings: [] };
    checkStatus(response, path);
    if (response.type === PAGE_TYPE && response.text && before?.page.text === response.text) {
      return { page: before.page, findings: before.findings, number };
    }
    const findings = response.text ? await this.living(this.host.inspect(path, response.text)) : null;
    try {
      const page = readPage(response, findings, this);
      this.dialect ??= page.dialect;
      return { page, findings: findings ?? [], number };
    } catch (error) {
      this.rejected = { path, text: response.text ?? "", findings: findings ?? [] };
      throw error;
    }
  }

  async call(path) {
    const request = { method: "POST", url: this.url(path), headers: { Accept: PAGE_TYPE }, note: "rpc" };
    this.post(request, (this.top && this.variablesOf(this.top.path)) ?? {});
    const response = await this.living(this.host.send(request));
    const findings = response.text && response.status < 300 ? await this.living(this.host.inspect(path, response.text)) : null;
    if (response.text && response.status < 300) this.host.problem(`The answer to the rpc ${path} has a body, with which clients do nothing.`);
    checkRPC(response, path, findings, this);
  }

  async upload(path, photo) {
    const response = await this.living(this.host.send({
      method: "PUT", url: this.url(path), headers: { "Content-Type": "image/jpeg" }, body: photo,
      note: `photo, ${Math.ceil(photo.size / 1024)} KB`,
    }));
    checkStatus(response, path);
  }

  /** The variables that a page sends, or null. */
  variablesOf(path) {
    const page = this.stack.find((entry) => entry.path === path)?.page;
    if (!page || page.inputs.length === 0) return null;
    try {
      const sent = sentVariables(page.inputs, (input) => this.value(input), this.version);
      return Object.keys(sent).length > 0 ? sent : null;
    } catch (error) {
      throw new ShownError("app", `The page ${path} ${error.message}.`);
    }
  }

  post(request, variables) {
    request.method = "POST";
    request.headers["Content-Type"] = "application/json";
    request.body = requestBody(variables);
    request.variables = variables;
  }

  url(path) {
    try {
      return resolve(this.host.basePath, path);
    } catch (error) {
      throw new ShownError("app", `${path.slice(0, 100)} ${error.message}.`);
    }
  }
}
