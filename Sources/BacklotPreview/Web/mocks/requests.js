// The last requests, those of all clients, and which route responded; or what came near.

import { el, fill } from "../core/element.js";

/** The largest number of requests in the list. */
const MOST = 30;

export class Requests {
  constructor(host) {
    this.host = host;
    this.list = el("div", { class: "requests" });
    this.element = el("section", { "aria-label": "Last requests" }, el("h2", { text: "Last requests" }), this.list);
    /** The rows by the requests' ids: one that is open stays. */
    this.rows = new Map();
  }

  async read() {
    const { requests } = await this.host.backend.state(`requests?limit=${MOST}`);
    this.rows = new Map(requests.map((one) => [one.id, this.rows.get(one.id) ?? this.row(one)]));
    fill(this.list, requests.length === 0 ? el("p", { class: "none", text: "There were none." }) : [...this.rows.values()]);
  }

  row({ request, response, wasMatched, stubMapping }) {
    const { status = 0, body = "" } = response ?? {};
    const file = stubMapping?.metadata?.file ?? stubMapping?.name;
    return el("details", { class: "route" },
      el("summary", {}, el("time", { text: new Date(request.loggedDate).toLocaleTimeString() }), el("span", { class: "method", text: request.method }), el("code", { class: "url", text: request.url }),
        el("span", { class: `status ${wasMatched && status < 400 ? "good" : "bad"}`, text: String(status || "failed") }), el("span", { class: "note", text: wasMatched ? file ?? "" : "no route" })),
      request.body ? el("pre", { text: request.body }) : null, body ? el("pre", { text: body }) : null);
  }
}
