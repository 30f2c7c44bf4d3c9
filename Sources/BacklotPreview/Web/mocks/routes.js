// The list of routes, each with a form to try it.

import { el, fill } from "../core/element.js";
import { pretty } from "../inside/log.js";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** The longest part of a body that is shown, in characters. */
const SHOWN = 20_000;

export class RouteList {
  constructor(host) {
    this.host = host;
    this.element = el("section", { class: "routes", "aria-label": "Routes" });
    /** The routes by their URLs and files, with the forms that are open. */
    this.rows = new Map();
    /** The header fields that were sent last: they may tell which client this is. */
    this.fields = {};
  }

  /** The file of the route that was opened last, or of the first one. */
  get file() {
    return this.opened ?? [...this.rows.values()].find(({ file }) => file)?.file;
  }

  async read() {
    const { mappings } = await this.host.backend.state("mappings");
    const before = this.rows;
    this.rows = new Map();
    for (const { request, response, name, metadata } of mappings) {
      const url = request.url ?? request.urlPath ?? request.urlPathTemplate ?? request.urlPattern ?? request.urlPathPattern ?? "/";
      const method = typeof request.method === "string" ? request.method : request.method?.oneOf?.join(", ") ?? "ANY";
      const key = `${url} ${metadata?.file ?? method}`;
      const found = this.rows.get(key);
      if (found) {
        found.count += metadata?.data ? 0 : 1;
        if (!found.method.includes(method)) found.method = method === "ANY" ? method : `${found.method}, ${method}`;
      } else {
        this.rows.set(key, { method, url, request, response, file: metadata?.file, name, count: 1, element: before.get(key)?.element.open ? before.get(key).element : null });
      }
    }
    const order = ({ url, method }) => `${url} ${METHODS.indexOf(method)}`;
    this.rows = new Map([...this.rows].sort(([, one], [, other]) => order(one).localeCompare(order(other), "en")));
    fill(this.element, this.rows.size === 0 ? el("p", { class: "none", text: "The folder has no routes yet: save a file such as hello.get.json in it." }) : [...this.rows.values()].map((row) => (row.element ??= this.row(row))));
    this.filter(this.words ?? "");
  }

  filter(words) {
    this.words = words;
    for (const { element } of this.rows.values()) element.hidden = !element.firstElementChild.textContent.toLowerCase().includes(words.toLowerCase());
  }

  row(row) {
    const { method, url, file, name, count, response } = row;
    const edit = (event) => {
      event.preventDefault();
      this.opened = file;
      this.host.dispatchEvent(new CustomEvent("edit", { detail: file }));
    };
    const more = count > 1 ? `${count} responses` : response.status && response.status !== 200 ? String(response.status) : "";
    const element = el("details", { class: "route" }, el("summary", {}, el("span", { class: "method", text: method }), el("code", { class: "url", text: url }), el("span", { class: "note", text: more }),
      file ? el("button", { type: "button", class: "file", title: "Open the file in the editor", text: file, on: { click: edit } }) : el("span", { class: "note", text: name ?? "added at run time" })));
    element.addEventListener("toggle", () => element.open && element.childElementCount === 1 && element.append(this.form(row)), { once: true });
    return element;
  }

  form({ method, url, request }) {
    const named = METHODS.filter((one) => method.includes(one));
    const choice = el("select", { "aria-label": "Method" }, (named.length > 0 ? named : METHODS).map((one) => el("option", { value: one, text: one })));
    const base = this.host.basePath.replace(/\/$/, "");
    const filled = request.urlPattern || request.urlPathPattern ? url : url.replace(/\{([^}]+)\}/g, (_, key) => encodeURIComponent(sample(request.pathParameters?.[key]) ?? "1"));
    const query = new URLSearchParams(pairs(request.queryParameters)).toString();
    const address = el("input", { type: "text", "aria-label": "URL", spellcheck: "false", value: base + filled + (query && `?${query}`) });
    const fields = el("textarea", { "aria-label": "Header fields", rows: "2", spellcheck: "false", placeholder: "Authorization: Bearer …" });
    fields.value = Object.entries(this.fields).map(([key, value]) => `${key}: ${value}`).concat(pairs(request.headers).map(([key, value]) => `${key}: ${value}`)).join("\n");
    const body = el("textarea", { "aria-label": "Body", rows: "3", spellcheck: "false", placeholder: "{}" });
    const example = request.json ?? request.bodyPatterns?.map((one) => one.equalToJson ?? one.equalTo).find((one) => one !== undefined);
    if (example !== undefined) body.value = typeof example === "string" ? example : JSON.stringify(example, null, 2);
    const result = el("div", { class: "result", role: "status" });
    const form = el("form", {}, el("div", { class: "line" }, choice, address, el("button", { type: "submit", text: "Send" })), el("label", {}, "Header fields", fields), el("label", { class: "body" }, "Body", body), result);
    const show = () => (form.querySelector(".body").hidden = choice.value === "GET");
    choice.addEventListener("change", show);
    show();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(choice.value, address.value, fields.value, choice.value === "GET" ? "" : body.value).then((parts) => fill(result, parts), (error) => fill(result, el("p", { class: "bad", text: error.message })));
    });
    return form;
  }

  /** Sends a request; returns what is shown of the response. */
  async send(method, address, text, body) {
    const url = new URL(address, location.origin);
    if (url.origin !== location.origin) throw new Error(`Requests go to this server only: write a path, such as ${this.host.basePath}.`);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const bad = lines.find((line) => !/^[\w!#$%&'*+.^`|~-]+:/.test(line));
    if (bad) throw new Error(`“${bad}” is no header field: write a name, a colon and a value.`);
    const own = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
    this.fields = own;
    const type = body === "" || Object.keys(own).some((name) => name.toLowerCase() === "content-type") ? {} : { "Content-Type": "application/json" };
    const { failure, status, type: found, text: content, bytes } = await this.host.send({ method, url: url.pathname + url.search, headers: { ...type, ...own }, body: body || undefined, note: "tried" });
    if (failure) throw new Error(`Nothing came: ${failure}.`);
    return [el("p", {}, el("strong", { class: status < 400 ? "good" : "bad", text: String(status) }), ` ${found}`), el("pre", { text: content === null ? `${bytes} bytes` : pretty(content).slice(0, SHOWN) })];
  }
}

/** The values that conditions are met by, as far as they say them. */
function pairs(conditions) {
  return Object.entries(conditions ?? {}).map(([name, condition]) => [name, sample(condition)]).filter(([, value]) => value !== undefined);
}

function sample(condition) {
  const value = condition?.equalTo ?? condition?.contains ?? condition;
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}
