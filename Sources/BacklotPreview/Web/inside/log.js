// Requests and responses as they happen: this phone's, and those of other clients, which the server reports.

import { el, fill } from "../core/element.js";
import { fate } from "../core/fate.js";
import { curl, har } from "./export.js";

/** The most exchanges that are shown, and the most characters of a body. */
const [MOST, SHOWN] = [500, 100_000];

export class LogPanel {
  constructor(host) {
    this.title = "Log";
    this.host = host;
    this.rows = new Map();
    this.list = el("div", { class: "log" });
    this.polls = el("input", { type: "checkbox", checked: true });
    this.element = el("div", { class: "panel" },
      el("div", { class: "panel-tools" }, el("label", {}, this.polls, " polls"), el("button", { type: "button", text: "Clear", on: { click: () => this.clear() } }),
        el("button", { type: "button", text: "Download HAR", title: "For demo-server import and other tools: with what was entered, without cookies", on: { click: () => this.download() } })), this.list);
    this.polls.addEventListener("change", () => this.list.classList.toggle("without-polls", !this.polls.checked));
    host.exchanges.addEventListener("add", ({ detail }) => this.add(detail));
    host.exchanges.addEventListener("change", ({ detail }) => this.change(detail));
  }

  draw() {}

  clear() {
    this.host.exchanges.records.length = 0;
    this.rows.clear();
    this.list.replaceChildren();
  }

  download() {
    const url = URL.createObjectURL(new Blob([har(this.host.exchanges.records)], { type: "application/json" }));
    el("a", { href: url, download: "backlot.har" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  add(record) {
    const row = el("details", { class: `exchange ${record.isBackground ? "poll" : ""} ${record.isOwn ? "" : "foreign"}` });
    row.addEventListener("toggle", () => this.change(record));
    this.rows.set(record.number, row);
    const isAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    this.list.append(row);
    while (this.rows.size > MOST) {
      const [oldest] = this.rows.keys();
      this.rows.get(oldest).remove();
      this.rows.delete(oldest);
    }
    this.change(record);
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  change(record) {
    const row = this.rows.get(record.number);
    if (!row) return;
    const { response, server } = record;
    const status = response?.failure ? "failed" : response ? String(response.status) : "…";
    const kind = !response ? "waiting" : response.failure || response.status >= 500 ? "bad" : response.status >= 400 ? "poor" : "good";
    const time = record.milliseconds === null ? "" : `${record.milliseconds < 10 ? record.milliseconds.toFixed(1) : Math.round(record.milliseconds)} ms`;
    const become = fate(record);
    fill(row, el("summary", {},
      el("time", { text: record.time.toLocaleTimeString() }), el("span", { class: "method", text: record.method }), el("span", { class: "url", text: record.url }),
      record.fault ? el("span", { class: "fault", text: record.fault }) : null, record.network ? el("span", { class: "network", text: record.network }) : null,
      el("span", { class: "note", text: record.note }), el("span", { class: `status ${kind}`, text: status }), el("span", { class: "time", text: time }),
      become ? el("span", { class: "fate", text: become }) : null), row.open ? this.details(record) : null);
    if (server && row.open) row.dataset.server = "";
  }

  details(record) {
    const { response, server } = record;
    const part = (title, content) => (content ? [el("h3", { text: title }), content] : []);
    const fields = (object) => {
      const entries = Object.entries(object ?? {});
      return entries.length > 0 ? el("dl", {}, entries.map(([name, value]) => [el("dt", { text: name }), el("dd", { text: String(value) })])) : null;
    };
    const body = (text) => (text ? el("pre", { text: pretty(text).slice(0, SHOWN) }) : null);
    return el("div", { class: "details" },
      el("button", { type: "button", text: "Copy as cURL", title: "Without the cookies, which no script may read", on: { click: () => this.host.copy(curl(record)) } }),
      part("Request", fields(record.headers)), part("Variables", record.variables ? body(JSON.stringify(record.variables)) : body(record.body)),
      response?.failure ? el("p", { class: "bad", text: response.failure }) : null,
      response?.redirected ? el("p", { text: `Redirected to ${response.url}` }) : null,
      server ? part("Server", fields({ "time in the server": `${(server.microseconds / 1000).toFixed(2)} ms`, ...(server.setCookies.length > 0 ? { "Set-Cookie": server.setCookies.join("\n") } : {}), ...(server.fault ? { fault: server.fault } : {}), ...(server.network ? { network: server.network } : {}), ...transfer(server) })) : null,
      part("Response", fields(response?.headers)), part(response?.bytes ? `Body, ${response.bytes} bytes` : "Body", body(response?.text)));
  }
}

/** The way of a response through its network. */
function transfer({ transfer }) {
  return transfer ? { "response under way": `${Math.round(transfer.microseconds / 1000)} ms, ${transfer.bytes} bytes` } : {};
}

/** JSON on several lines; another text unchanged. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
