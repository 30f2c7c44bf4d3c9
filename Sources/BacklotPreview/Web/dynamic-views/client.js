// The client's state: the views of the navigation so far, and the stored values of toggles and choices.

import { text } from "./values.js";

/** The number of taps on the version that open the question for developer mode's password. */
const TAPS_FOR_PASSWORD = 5;
/** The password that turns developer mode on, as in DynamicViewsClient. */
const PASSWORD = "Snabble";

export class Client {
  constructor(host) {
    this.host = host;
    /** The views that navigation has led through, the one on the screen last. */
    this.stack = [location.pathname + location.search];
    this.document = null;
    this.text = null;
    this.error = null;
    this.findings = [];
    this.isBusy = false;
    /** The interactions that are being sent, one after the other. */
    this.sending = Promise.resolve();
    /** The values that the device stores, by their keys. */
    this.stored = host.memory.get("stored") ?? {};
    /** Widgets that were hidden by hand. */
    this.hidden = new Set(host.memory.get("hidden") ?? []);
    this.hasDeveloperMode = host.memory.get("developer") ?? false;
    this.versionTaps = 0;
    this.asksForPassword = false;
    this.onChange = () => {};
    this.shownDialect = this.dialect;
    host.phone.addEventListener("look", () => {
      if (this.dialect !== this.shownDialect) this.load();
    });
  }

  /** The address of the view on the screen. */
  get path() {
    return this.stack.at(-1);
  }

  /** The view's name. */
  get name() {
    return this.path.split("?")[0].split("/").at(-1).replace(/\.json$/, "");
  }

  /** The dialect that the address names, or else the phone's, if the app has it. */
  get dialect() {
    const named = new URLSearchParams(location.search).get("dialect");
    if (named !== null) return named.toLowerCase();
    const known = text(this.host.facts?.dialects).split(",");
    const own = this.host.phone.value("platform").toLowerCase();
    return known.includes(own) ? own : known[0];
  }

  get isAndroid() {
    return this.dialect === "android";
  }

  get headers() {
    return { "Dynamic-Views-Dialect": this.dialect };
  }

  /** Shows a document that somebody writes in the place of the view on the screen, until the draft ends. */
  draft(document, text) {
    if (!Array.isArray(document?.widgets)) throw new Error('A document has "configuration" and "widgets".');
    Object.assign(this, { document, text, error: null, findings: [], drafted: this.path });
    this.onChange();
    const take = (findings) => {
      if (this.document !== document) return;
      this.findings = findings;
      this.host.shown({ findings });
    };
    return { path: this.judgedPath, take };
  }

  endDraft() {
    this.drafted = null;
    return this.load();
  }

  async load() {
    const { path, dialect } = this;
    if (this.drafted === path) return this.onChange();
    this.drafted = null;
    this.isBusy = true;
    this.onChange();
    const response = await this.host.send({ method: "GET", url: path, headers: { ...this.headers, Accept: "application/json" }, note: "document" });
    this.isBusy = false;
    // Somebody was quicker than the server.
    const isLate = () => path !== this.path || dialect !== this.dialect || this.drafted === path;
    if (isLate()) return this.onChange();
    const isSame = this.shown === `${dialect} ${path}`;
    this.shown = `${dialect} ${path}`;
    this.shownDialect = dialect;
    if (response.failure || response.status !== 200) return this.fail(response.failure ?? `The server answered ${response.status}: ${response.text ?? ""}`);
    if (isSame && response.text === this.text && !this.error) return this.onChange();
    const findings = (await this.host.inspect(this.judgedPath, response.text ?? "")) ?? [];
    if (isLate()) return this.onChange();
    let document = null;
    try {
      document = JSON.parse(response.text ?? "");
    } catch (error) {
      return this.fail(`The document can't be read as JSON: ${error.message}.`, findings, response.text);
    }
    const rejection = findings.find((finding) => finding.rejects);
    if (rejection || !Array.isArray(document?.widgets)) {
      return this.fail(rejection?.message ?? "A document has \"configuration\" and \"widgets\".", findings, response.text);
    }
    Object.assign(this, { document, text: response.text, error: null, findings });
    this.onChange();
  }

  /** The address that names the dialect of the document's rules. */
  get judgedPath() {
    const url = new URL(this.path, location.origin);
    url.searchParams.set("dialect", this.dialect);
    return url.pathname + url.search;
  }

  fail(problem, findings = [], body = "") {
    this.error = problem;
    this.findings = findings;
    this.rejected = { path: this.path, text: body, findings };
    this.host.problem(problem);
    this.onChange();
  }

  async restart() {
    this.host.clearSteps();
    this.stack.length = 1;
    this.drafted = null;
    this.hasDeveloperMode = false;
    this.forget();
    await this.load();
  }

  forget() {
    this.stored = {};
    this.hidden.clear();
    this.keep();
    this.onChange();
  }

  store(key, value) {
    this.stored = { ...this.stored, [key]: value };
    this.keep();
  }

  hide(id) {
    this.hidden.add(id);
    this.keep();
    this.onChange();
  }

  keep() {
    this.host.memory.set("stored", this.stored);
    this.host.memory.set("hidden", [...this.hidden]);
    this.host.memory.set("developer", this.hasDeveloperMode);
    this.host.view.variables = this.stored;
    this.host.dispatchEvent(new Event("variables"));
  }

  /** Shows the view that a navigation leads to. */
  async navigate(resource) {
    const name = text(resource).replace(/\.json$/, "");
    if (!/^[A-Za-z0-9_-]+$/.test(name)) return this.host.problem(`The resource ${JSON.stringify(resource)} is not the name of a view, so the navigation leads nowhere.`);
    this.host.step({ do: "navigate", name });
    this.stack.push(`${location.pathname.replace(/[^/]*$/, "")}${name}.json${location.search}`);
    await this.load();
  }

  async back() {
    if (this.stack.length === 1) return;
    this.host.step({ do: "back" });
    this.stack.pop();
    await this.load();
  }

  /** Taps the version. Some taps ask for the password of developer mode. */
  tapVersion(widgetId) {
    if (++this.versionTaps === TAPS_FOR_PASSWORD) {
      this.versionTaps = 0;
      this.asksForPassword = true;
      this.onChange();
    }
    return this.interact(widgetId);
  }

  /** Answers the question for the password; null for none. */
  enterPassword(password) {
    this.asksForPassword = false;
    if (password === PASSWORD) this.hasDeveloperMode = true;
    else if (password !== null) this.host.problem(`That isn't the password of developer mode. In preview it is ${PASSWORD}.`);
    this.keep();
    this.onChange();
  }

  /** Sends what a person did with a widget, after what was done before. */
  interact(widgetId, more = {}) {
    const { path } = this;
    const body = { widgetId, ...more };
    this.host.step({ do: "interact", body });
    this.sending = this.sending.then(() => this.forward(path, body));
    return this.sending;
  }

  async forward(path, body) {
    this.isBusy = true;
    this.onChange();
    const response = await this.host.send({
      method: "POST", url: path.replace(/\.json(\?.*)?$/, "/interactions$1"), headers: { ...this.headers, "Content-Type": "application/json" },
      body: JSON.stringify(body), note: "interaction", variables: body,
    });
    this.isBusy = false;
    if (response.failure || response.status >= 400) {
      this.host.problem(response.failure ?? `The server answered ${response.status} to the interaction: ${response.text ?? ""}`);
      return this.onChange();
    }
    // The interaction may change the view.
    if (path === this.path) await this.load();
  }
}
