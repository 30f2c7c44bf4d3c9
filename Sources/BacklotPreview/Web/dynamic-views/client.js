// What the client knows: the document, and what is stored for toggles and choices.

export class Client {
  constructor(host) {
    this.host = host;
    this.path = location.pathname + location.search;
    this.document = null;
    this.text = null;
    this.error = null;
    this.findings = [];
    this.isBusy = false;
    /** What the device stores, by keys. */
    this.stored = host.memory.get("stored") ?? {};
    /** Widgets that were hidden by hand. */
    this.hidden = new Set(host.memory.get("hidden") ?? []);
    this.onChange = () => {};
  }

  async load() {
    this.isBusy = true;
    this.onChange();
    const answer = await this.host.send({ method: "GET", url: this.path, headers: { Accept: "application/json" }, note: "document" });
    this.isBusy = false;
    if (answer.failure || answer.status !== 200) return this.fail(answer.failure ?? `The server answered ${answer.status}.`);
    if (answer.text === this.text && !this.error) return this.onChange();
    const findings = (await this.host.inspect(this.path, answer.text ?? "")) ?? [];
    let document = null;
    try {
      document = JSON.parse(answer.text ?? "");
    } catch (error) {
      return this.fail(`The document can't be read as JSON: ${error.message}.`, findings, answer.text);
    }
    const rejection = findings.find((finding) => finding.rejects);
    if (rejection || !Array.isArray(document?.widgets)) {
      return this.fail(rejection?.message ?? "A document has \"configuration\" and \"widgets\".", findings, answer.text);
    }
    Object.assign(this, { document, text: answer.text, error: null, findings });
    this.onChange();
  }

  fail(text, findings = [], body = "") {
    this.error = text;
    this.findings = findings;
    this.rejected = { path: this.path, text: body, findings };
    this.host.problem(text);
    this.onChange();
  }

  async restart() {
    this.host.clearSteps();
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
    this.host.view.variables = this.stored;
    this.host.dispatchEvent(new Event("variables"));
  }

  /** Sends what a person did with a widget. */
  async interact(widgetId, more = {}) {
    if (this.isBusy) return;
    const body = { widgetId, ...more };
    this.host.step({ do: "interact", body });
    this.isBusy = true;
    this.onChange();
    const answer = await this.host.send({
      method: "POST", url: this.path.replace(/\.json(\?.*)?$/, "/interactions$1"), headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), note: "interaction",
      variables: body,
    });
    this.isBusy = false;
    if (answer.failure || answer.status >= 400) {
      this.host.problem(answer.failure ?? `The server answered ${answer.status} to the interaction: ${answer.text ?? ""}`);
      return this.onChange();
    }
    // What was done may change what the view looks like.
    await this.load();
  }
}
