// Data and scenarios of mocks, as this client has them; they can be set.

import { readClock } from "../core/clock.js";
import { el, fill } from "../core/element.js";

export class MockState {
  constructor(host) {
    this.host = host;
    this.note = el("p", { class: "note" });
    this.list = el("div", { class: "buckets" });
    this.time = el("input", { type: "text", "aria-label": "The mocks' clock", placeholder: "the system's", spellcheck: "false", autocomplete: "off" });
    const clock = el("form", { class: "scenario" }, el("span", { text: "Clock" }), this.time, el("button", { type: "submit", text: "Set the clock" }),
      el("button", { type: "button", text: "System's clock", on: { click: () => this.set(() => host.backend.admin("clock?client=own", { method: "DELETE", headers: host.app?.fields?.() })) } }));
    clock.addEventListener("submit", (event) => {
      event.preventDefault();
      this.set(() => this.call("clock", { now: this.time.value }));
    });
    this.element = el("div", { class: "mock-state" }, el("h2", { text: "Scenarios and data of the mocks" }), this.note, clock, this.list,
      el("div", { class: "panel-tools" }, el("button", { type: "button", text: "Begin anew", title: "Sets scenarios and data back", on: { click: () => this.set(() => this.reset()) } })));
    /** The field of each bucket, with the text that the server has. */
    this.buckets = new Map();
  }

  /** Gives a command for this client, which the fields of its requests may name. */
  call(path, body) {
    return this.host.backend.state(`${path}?client=own`, body, this.host.app?.fields?.());
  }

  async draw() {
    // Somebody is writing.
    if (this.list.contains(document.activeElement) || this.time === document.activeElement) return;
    try {
      const [{ scenarios }, { data, isOfAll }] = await Promise.all([this.call("scenarios"), this.call("data")]);
      const clock = await readClock(this.host);
      this.time.value = !clock || clock.isSystem ? "" : clock.now;
      const values = await Promise.all(data.map(({ name }) => this.call(`data/${encodeURIComponent(name)}`)));
      this.note.textContent = scenarios.length + data.length === 0 ? "The mocks have neither."
        : isOfAll ? "This client has changed nothing yet. What you set here is set for all clients." : "This client's own. Data that clients share is the same for all.";
      fill(this.list, scenarios.map((one) => this.scenario(one)), data.map(({ name, scope }, index) => this.bucket(name, scope, JSON.stringify(values[index], null, 2))));
    } catch (error) {
      this.note.textContent = `The mocks can't be asked: ${error.message}.`;
      fill(this.list);
    }
  }

  scenario({ name, state, possibleStates }) {
    const choice = el("select", { "aria-label": `State of ${name}`, on: { change: () => this.set(() => this.call(`scenarios/${encodeURIComponent(name)}/state`, { state: choice.value })) } },
      possibleStates.map((one) => el("option", { value: one, text: one })));
    choice.value = state;
    return el("label", { class: "scenario" }, el("span", { text: name }), choice);
  }

  bucket(name, scope, text) {
    let shown = this.buckets.get(name);
    if (!shown) {
      const field = el("textarea", { "aria-label": `Data ${name}`, spellcheck: "false" });
      const set = () => this.set(async () => {
        await this.call(`data/${encodeURIComponent(name)}`, JSON.parse(field.value));
        this.buckets.get(name).text = field.value;
      });
      const element = el("div", { class: "bucket" }, el("span", { text: name }), scope === "shared" ? el("span", { class: "tag", text: "shared" }) : null, field, el("button", { type: "button", text: `Set ${name}`, on: { click: set } }));
      this.buckets.set(name, shown = { field, element, text: "" });
    }
    // A text that somebody writes stays.
    if (shown.field.value === shown.text) shown.field.value = text;
    shown.field.rows = Math.min(12, shown.field.value.split("\n").length);
    shown.text = text;
    return shown.element;
  }

  async reset() {
    for (const what of ["scenarios", "data"]) await this.host.backend.admin(`${what}/reset?client=own`, { method: "POST", headers: this.host.app?.fields?.() });
    this.buckets.clear();
  }

  async set(change) {
    try {
      await change();
      await readClock(this.host);
      this.host.app?.refresh("The mocks' state was set.");
    } catch (error) {
      this.host.problem(`It isn't set: ${error.message}.`);
    }
    document.activeElement?.blur();
    this.draw();
  }
}
