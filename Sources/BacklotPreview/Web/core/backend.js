// The calls of the view inside to preview itself. Each shows a token that stands in the shell alone, so that nothing that a page
// of the app brings with it can make them.

export class Backend {
  constructor(facts) {
    this.token = facts.token;
    this.wire = facts.wire;
    this.basePath = facts.basePath;
  }

  get headers() {
    return { "Backlot-Preview": this.token, "Content-Type": "application/json" };
  }

  /** Calls; the answer is JSON, or null where there is none. Throws where the server doesn't do it. */
  async call(path, body) {
    const response = await fetch(path, {
      method: body === undefined ? "GET" : "POST", headers: this.headers, cache: "no-store",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error((await response.text()).slice(0, 500) || `HTTP ${response.status}`);
    return response.status === 204 ? null : response.json();
  }

  /** What the rules of the protocol say of a page; null where the server can't be asked. */
  async inspect(path, body) {
    try {
      return (await this.call("/__preview/inspect", { app: this.basePath, wire: this.wire, path, body })).findings;
    } catch {
      return null;
    }
  }

  /** The JSON Schema of the app's answers; null where nobody knows it. */
  async schema() {
    return (await this.call("/__preview/schema", { app: this.basePath, wire: this.wire })).schema;
  }

  /** A page in Swift: `{swift, omissions}`. Throws where no code makes such a page. */
  swift(body) {
    return this.call("/__preview/swift", { app: this.basePath, wire: this.wire, body });
  }

  machine() {
    return this.call("/__preview/machine");
  }

  /** The QR code of a text: rows of 0 and 1, which is dark. */
  async qr(text) {
    return (await this.call("/__preview/qr", { text })).rows;
  }

  /** `order` is `{do: "show"}` and so on. */
  session(order) {
    const base = this.basePath.endsWith("/") ? this.basePath : `${this.basePath}/`;
    return this.call(`${base}__preview/session`, order);
  }
}
