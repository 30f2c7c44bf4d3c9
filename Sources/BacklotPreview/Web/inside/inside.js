// The view inside, beside the phone: the page's parts, its findings, and the traffic.

import { el, fill, icon } from "../core/element.js";
import { Selection } from "./selection.js";
import { EditorPanel } from "./editor.js";
import { AccessPanel } from "./access.js";
import { FaultPanel } from "./faults.js";
import { FindingPanel } from "./findings.js";
import { JSONPanel } from "./json.js";
import { LinkPanel } from "./link.js";
import { LogPanel } from "./log.js";
import { StatePanel } from "./state.js";
import { TestPanel } from "./test.js";
import { TimePanel } from "./time.js";
import { TreePanel } from "./tree.js";

/** The least width for two panels side by side, in pixels. */
const SPLIT = 780;

export class Inside {
  constructor(host) {
    this.host = host;
    const selection = new Selection(host);
    this.panels = [
      new TreePanel(host, selection), new JSONPanel(host, selection), new FindingPanel(host, selection), new AccessPanel(host, selection), new EditorPanel(host), new LogPanel(host), new TimePanel(host),
      new StatePanel(host), new FaultPanel(host), new LinkPanel(host), new TestPanel(host),
    ];
    this.tabs = this.panels.map((panel, index) => this.tab(panel, index));
    this.pick = el("button", {
      type: "button", class: "pick", "aria-pressed": "false", title: "Choose a part on the phone",
      on: { click: () => selection.togglePicking() },
    }, icon("target"), "Pick");
    selection.onPicking = (isPicking) => {
      this.pick.setAttribute("aria-pressed", String(isPicking));
      document.body.classList.toggle("picking", isPicking);
    };
    selection.onPicked = () => { if (this.shown > 1) this.show(0); };
    this.apps = el("a", { class: "all-apps", href: "/__preview/", title: "All apps of this server" }, icon("grid"), "Apps");
    this.connection = el("span", { class: "connection", role: "status" });
    this.place = el("code", { class: "place" });
    this.refresh = el("button", { type: "button", title: "Ask the server for the pages again", on: { click: () => host.app?.refresh("Refreshed by hand.") } }, icon("refresh"), "Refresh");
    this.restart = el("button", { type: "button", title: "Begin anew, without variables and stack", on: { click: () => host.app?.restart() } }, "Restart");
    this.tools = el("span", { class: "tools" }, this.pick, this.refresh, this.restart);
    this.problem = el("p", { class: "problem", role: "status", hidden: true });
    this.json = this.panels[1];
    this.body = el("div", { class: "panels" }, this.panels.map(({ element }) => element));
    this.list = el("div", { class: "tabs", role: "tablist", "aria-label": "View inside" }, this.tabs);
    this.element = el("section", { class: "inside", "aria-label": "View inside" },
      el("header", { class: "inside-bar" }, this.apps, this.place, this.connection, this.tools),
      this.problem, this.list, this.body);
    this.body.append(this.json.element);
    new ResizeObserver(() => this.split()).observe(this.body);
    for (const event of ["shown", "looked"]) host.addEventListener(event, () => this.update());
    host.addEventListener("problem", () => this.explain());
    host.addEventListener("edit", ({ detail }) => this.openFile(detail));
    this.wanted = host.memory.get("tab") ?? 0;
    this.show(this.wanted);
  }

  /** The tab of a panel. */
  tab(panel, index) {
    panel.element.id = `panel-${index}`;
    panel.element.setAttribute("role", "tabpanel");
    panel.element.setAttribute("aria-labelledby", `tab-${index}`);
    panel.element.tabIndex = 0;
    return el("button", {
      type: "button", role: "tab", id: `tab-${index}`, "aria-controls": `panel-${index}`,
      on: { click: () => this.show(index), keydown: (event) => this.move(event, index) },
    }, panel.title, panel.count ?? null);
  }

  show(index) {
    this.shown = Math.min(Math.max(0, index), this.panels.length - 1);
    this.host.memory.set("tab", this.shown);
    for (const [number, tab] of this.tabs.entries()) {
      const isShown = number === this.shown;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      this.panels[number].element.hidden = !isShown;
      this.panels[number].isShown = isShown;
    }
    this.panels[this.shown].draw();
    this.split();
  }

  /** If there is room, the JSON is beside the panels about parts of the page. */
  split() {
    const isSplit = this.body.clientWidth >= SPLIT && Boolean(this.panels[this.shown].isLinked);
    this.body.classList.toggle("split", isSplit);
    if (this.json !== this.panels[this.shown]) this.json.element.hidden = !isSplit;
    if (isSplit) this.drawBeside();
  }

  /** The JSON changes in the same picture as the panel beside it. */
  drawBeside() {
    cancelAnimationFrame(this.waiting);
    this.waiting = requestAnimationFrame(() => this.body.classList.contains("split") && this.json.draw());
  }

  /** Shows the editor with the text of a link. */
  async edit(text) {
    const index = this.panels.findIndex((panel) => panel instanceof EditorPanel);
    this.show(index);
    await this.panels[index].take(text);
  }

  /** Opens a mock file in the editor. */
  async openFile(name) {
    const index = this.panels.findIndex((panel) => panel instanceof EditorPanel);
    this.show(index);
    await this.panels[index].openFile(name);
  }

  /** Shows an app's own panels, and only some of the others for an app that isn't shown on a phone. */
  offer({ panels: titles, ownPanels = [] }) {
    for (const panel of ownPanels) {
      this.tabs.push(this.tab(panel, this.panels.push(panel) - 1));
      this.list.append(this.tabs.at(-1));
      this.json.element.before(panel.element);
    }
    if (ownPanels.length > 0) this.show(this.wanted);
    if (!titles) return;
    for (const [index, tab] of this.tabs.entries()) tab.hidden = !titles.includes(this.panels[index].title);
    for (const tool of this.tools.children) tool.hidden = tool !== this.refresh;
    if (this.tabs[this.shown].hidden) this.show(this.panels.findIndex(({ title }) => title === titles[0]));
  }

  move(event, index) {
    const offered = this.tabs.filter((tab) => !tab.hidden);
    const at = offered.indexOf(this.tabs[index]);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: offered.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = offered[(next + offered.length) % offered.length];
    this.show(this.tabs.indexOf(tab));
    tab.focus();
  }

  update() {
    this.place.textContent = this.host.seen.path;
    // Only the current page can be picked from.
    this.pick.disabled = this.host.then !== null;
    for (const panel of this.panels) panel.update?.();
    this.panels[this.shown].draw();
    this.split();
  }

  /** Says what went wrong last. */
  explain() {
    const last = this.host.problems.at(-1);
    this.problem.hidden = false;
    fill(this.problem, el("time", { text: last.time.toLocaleTimeString() }), el("span", { text: last.text }),
      el("button", { type: "button", class: "close", "aria-label": "Close", on: { click: () => (this.problem.hidden = true) } }, icon("close")));
  }

  setConnected(isConnected) {
    this.connection.className = `connection ${isConnected ? "on" : "off"}`;
    this.connection.textContent = isConnected ? "live" : "server gone";
  }
}
