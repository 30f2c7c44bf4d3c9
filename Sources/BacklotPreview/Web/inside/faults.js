// Faults for the next responses. The phone's own requests ask for it, so that no other client is hit.

import { el, fill } from "../core/element.js";

const STATUSES = ["", "400", "401", "403", "404", "422", "429", "500", "502", "503", "504"];
const FAULTS = ["", "EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE", "LOST_RESPONSE"];

export class FaultPanel {
  constructor(host) {
    this.title = "Faults";
    this.host = host;
    const select = (label, options, names = {}) => el("select", { "aria-label": label }, options.map((option) => el("option", { value: option, text: names[option] ?? (option || "none") })));
    this.status = select("Status", STATUSES);
    this.connection = select("Connection", FAULTS, { LOST_RESPONSE: "The answer is lost" });
    this.delay = el("input", { type: "number", min: "0", max: "120000", step: "100", value: "0", "aria-label": "Delay in milliseconds" });
    this.times = el("input", { type: "number", min: "1", max: "1000", value: "1", "aria-label": "Requests" });
    this.state = el("p", { class: "note", role: "status" });
    const form = el("form", { class: "faults" },
      el("label", {}, "Status", this.status), el("label", {}, "Delay, ms", this.delay), el("label", {}, "Connection", this.connection), el("label", {}, "For the next requests", this.times),
      el("div", { class: "buttons" }, el("button", { type: "submit", text: "Let them fail" }), el("button", { type: "button", text: "No faults", on: { click: () => this.set(null) } })));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const parts = [this.status.value && `status=${this.status.value}`, Number(this.delay.value) > 0 && `delay=${Math.min(120_000, Math.round(this.delay.value))}`, this.connection.value && (this.connection.value === "LOST_RESPONSE" ? "answer=lost" : `fault=${this.connection.value}`)];
      const text = parts.filter(Boolean).join("; ");
      this.set(text ? { text, left: Math.max(1, Math.min(1000, Math.round(this.times.value) || 1)) } : null);
    });
    this.element = el("div", { class: "panel" }, el("p", { class: "note", text: "What you choose happens to the next requests of this phone. Polls don't use it up." }), form, this.state);
    host.exchanges.addEventListener("fault", () => this.draw());
  }

  set(fault) {
    this.host.exchanges.fault = fault;
    this.draw();
  }

  draw() {
    const { fault } = this.host.exchanges;
    fill(this.state, fault ? el("strong", { text: `${fault.text}, for ${fault.left} more` }) : "No faults wait.");
  }
}
