// The calls of the view inside to preview itself. Each shows a token that stands in the shell alone, so that nothing that a page
// of the app brings with it can make them.

export class Backend {
  constructor(facts) {
    this.token = facts.token;
    this.wire = facts.wire;
    this.basePath = facts.basePath;
    /** The path of the mocks that make the app. */
    this.mocks = facts.facts.mocks ?? "/";
    /** The token of /__admin, where it needs one. It is forgotten with the window. */
    this.adminToken = null;
  }

  get headers() {
    return { "Backlot-Preview": this.token, "Content-Type": "application/json" };
  }

  /** Sends a command; returns the response's JSON, or null without a body. Throws where the server doesn't do it. */
  async call(path, body) {
    const response = await fetch(path, {
      method: body === undefined ? "GET" : "POST", headers: this.headers, cache: "no-store",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error((await response.text()).slice(0, 500) || `HTTP ${response.status}`);
    return response.status === 204 ? null : response.json();
  }

  /** The findings of the protocol's rules about a page; null if the server can't be reached. With `hasTags`, what is about tags that aren't
   * filled in is left out. */
  async inspect(path, body, hasTags = false) {
    try {
      return (await this.call("/__preview/inspect", { app: this.basePath, wire: this.wire, path, body, hasTags })).findings;
    } catch {
      return null;
    }
  }

  /** The JSON Schema of the app's responses; null if it is unknown. */
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

  /** A command to mocks. It stands below their path, so that their cookies come with it. Throws an error with the `status` where the server
   * doesn't do it. */
  async admin(path, options = {}) {
    const headers = { "Backlot-Preview": this.token, ...options.headers, ...(this.adminToken ? { Authorization: `Bearer ${this.adminToken}` } : {}) };
    const response = await fetch(`${this.mocks}__admin/${path}`, { ...options, headers, cache: "no-store", credentials: "same-origin" });
    if (response.ok) return response;
    let detail = `the server answered ${response.status}`;
    try {
      detail = JSON.parse(await response.text()).errors[0].detail;
    } catch {
      if (response.status === 404) detail = "the server has no /__admin for this window, or it needs a token";
    }
    throw Object.assign(new Error(detail), { status: response.status });
  }

  /** The JSON that a command returns; `body` is sent as JSON by PUT. */
  async state(path, body, headers = {}) {
    return (await this.admin(path, body === undefined ? { headers } : { method: "PUT", body: JSON.stringify(body), headers })).json();
  }

  /** `order` is `{do: "show"}` and so on. */
  session(order) {
    const base = this.basePath.endsWith("/") ? this.basePath : `${this.basePath}/`;
    return this.call(`${base}__preview/session`, order);
  }
}
