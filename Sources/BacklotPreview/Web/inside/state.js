// The state of the client and the server: the stack, the variables, and the session.

import { el, fill } from "../core/element.js";
import { MockState } from "./mock-state.js";

export class StatePanel {
  constructor(host) {
    this.title = "State";
    this.host = host;
    this.stack = el("ol", { class: "stack" });
    this.variables = el("table", { class: "variables" });
    this.session = el("div", { class: "session" });
    this.user = el("input", { type: "text", "aria-label": "Who is logged in", placeholder: "user name", autocomplete: "off" });
    const logIn = el("form", { class: "log-in" }, this.user, el("button", { type: "submit", text: "Log in as" }));
    logIn.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.user.value) this.order({ do: "logIn", user: this.user.value });
    });
    const button = (text, order, title) => el("button", { type: "button", text, title, on: { click: () => this.order({ do: order }) } });
    this.tools = el("div", { class: "session-tools" }, host.sessions === "cookie" ? logIn : null,
      button("Expire the session", "expire", "The server forgets the session; the client keeps its cookie."),
      host.sessions === "cookie" ? button("Forget the cookie", "forget", "The client forgets the cookie; the server keeps the session.") : null);
    this.mocks = host.facts.mocks ? new MockState(host) : null;
    this.forgetting = el("div", { class: "panel-tools" }, el("button", { type: "button", text: "Forget the variables", on: { click: () => host.app?.forgetVariables?.() } }));
    this.element = el("div", { class: "panel state" },
      this.pages = el("div", {}, el("h2", { text: "Stack" }), this.stack, el("h2", { text: "Variables" }), this.variables, this.forgetting),
      el("h2", { text: "Session" }), host.sessions === "none" ? el("p", { class: "none", text: "This app has no sessions." }) : [this.tools, this.session], this.mocks?.element);
    host.addEventListener("variables", () => this.isShown && this.drawVariables());
    host.exchanges.addEventListener("change", () => this.isShown && this.later());
  }

  draw() {
    const { then, seen: { stack } } = this.host;
    this.pages.hidden = Boolean(this.host.app?.panels);
    // An earlier state can't be changed.
    for (const element of [this.tools, this.forgetting, this.mocks?.element]) if (element) element.hidden = then !== null;
    fill(this.stack, stack.toReversed().map((page, index) => el("li", { class: index === 0 ? "top" : "" },
      el("code", { text: page.path }), el("span", { text: page.title }), page.poll ? el("span", { class: "tag", text: `polls every ${page.poll} s` }) : null,
      page.isEphemeral ? el("span", { class: "tag", text: "ephemeral" }) : null)));
    this.drawVariables();
    this.drawSession();
  }

  drawVariables() {
    const { inputs = [] } = this.host.seen;
    const { variables } = this.host.then ?? this.host.view;
    const names = [...new Set([...inputs.map(({ name }) => name), ...Object.keys(variables)])];
    const value = (name) => (Object.hasOwn(variables, name) ? [JSON.stringify(variables[name]), ""] : [JSON.stringify(inputs.find((input) => input.name === name)?.initial), "unset"]);
    fill(this.variables, names.length === 0 ? el("tr", {}, el("td", { class: "none", text: "There are none." })) : names.map((name) => {
      const [text, note] = value(name);
      return el("tr", {}, el("th", { scope: "row", text: name }), el("td", { text }), el("td", { class: "note", text: note }));
    }));
  }

  /** After a burst of responses, one request asks for the state. */
  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drawSession(), 300);
  }

  async drawSession() {
    const { then } = this.host;
    if (!then) this.mocks?.draw();
    if (this.host.sessions === "none") return;
    if (then) return void (then.session === undefined ? fill(this.session, el("p", { class: "none", text: "It wasn't asked for then." })) : this.showSession(then.session));
    try {
      const { session } = await this.host.backend.session({ do: "show", token: this.host.app?.sessionToken });
      this.showSession(session);
    } catch {
      fill(this.session, el("p", { class: "none", text: "The server can't be reached." }));
    }
  }

  showSession(session) {
    if (!session) return void fill(this.session, el("p", { class: "none", text: "There is no session." }));
    const date = (seconds) => new Date(seconds * 1000).toLocaleString();
    const row = (name, value) => [el("dt", { text: name }), el("dd", { text: value })];
    fill(this.session, el("dl", {}, row("user", session.user ?? "nobody"), row("key", `${session.key}…`), row("since", date(session.createdAt)), row("ends", date(session.expiresAt))),
      el("pre", { text: JSON.stringify(session.values, null, 2) }));
  }

  async order(order) {
    try {
      await this.host.backend.session({ ...order, token: this.host.app?.sessionToken });
    } catch (error) {
      this.host.problem(`The server didn't do it: ${error.message}`);
    }
    this.drawSession();
    this.host.app?.refresh({ logIn: `Logged in as ${order.user}.`, expire: "The session has ended.", forget: "The cookie is forgotten." }[order.do]);
  }
}
