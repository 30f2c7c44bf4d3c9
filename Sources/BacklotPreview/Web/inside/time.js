// The timeline: all events, with the phone, the stack, the variables and the session at each moment.

import { el, fill, icon } from "../core/element.js";
import { History } from "../time/history.js";
import { Replay } from "../time/replay.js";
import { Then } from "../time/then.js";

export class TimePanel {
  constructor(host) {
    this.title = "Time";
    this.host = host;
    this.history = new History(host);
    this.then = new Then(host);
    this.then.onNow = () => this.choose(null);
    this.chosen = null;
    this.slider = el("input", { type: "range", min: "0", value: "0", class: "time-slider", "aria-label": "Moment" });
    this.slider.addEventListener("input", () => this.choose(this.moments[Number(this.slider.value)] ?? null));
    this.polls = el("input", { type: "checkbox" });
    this.polls.addEventListener("change", () => this.draw());
    this.replayButton = el("button", { type: "button", title: "Goes back to this moment, and does what was done from then on again, against the server as it is now", on: { click: () => this.replay() } }, icon("play"), "Replay from here");
    this.stopButton = el("button", { type: "button", text: "Stop", hidden: true, on: { click: () => this.running?.stop() } });
    this.state = el("p", { class: "note", role: "status" });
    this.list = el("ol", { class: "moments" });
    /** The lines of the list, by the moments' numbers: a line stays while others come. */
    this.lines = new Map();
    this.list.addEventListener("keydown", (event) => this.move(event));
    this.details = el("div", { class: "then-details" });
    this.element = el("div", { class: "panel time" }, el("div", { class: "panel-tools" }, this.replayButton, this.stopButton, el("label", {}, this.polls, " polls")),
      this.slider, this.state, this.list, this.details);
    this.history.addEventListener("change", () => this.later());
  }

  get moments() {
    return this.history.moments.filter(({ record }) => this.polls.checked || !record?.isBackground);
  }

  later() {
    if (this.isWaiting || !this.isShown) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      if (this.isShown) this.draw();
    });
  }

  draw() {
    const { moments } = this;
    this.slider.max = String(Math.max(0, moments.length - 1));
    const at = this.chosen ? moments.indexOf(this.chosen) : moments.length - 1;
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", moments[at] ? textOf(moments[at]) : "now");
    this.drawLines(moments, Math.max(0, at));
    this.replayButton.disabled = !this.chosen || Boolean(this.running);
    this.stopButton.hidden = !this.running;
    if (!this.chosen && !this.running && this.state.textContent === "") this.state.textContent = "Choose a moment to see the phone as it was then.";
    this.drawDetails();
  }

  drawLines(moments, current) {
    const lines = moments.map((moment) => this.lines.get(moment.number) ?? this.line(moment));
    this.lines = new Map(moments.map(({ number }, index) => [number, lines[index]]));
    for (const old of [...this.list.children]) if (!lines.includes(old)) old.remove();
    for (const [index, line] of lines.entries()) if (this.list.children[index] !== line) this.list.insertBefore(line, this.list.children[index] ?? null);
    for (const [index, { firstElementChild: button }] of lines.entries()) {
      const moment = moments[index];
      const { response } = moment.record ?? {};
      button.className = `moment ${moment.kind} ${!response ? "" : response.failure || response.status >= 500 ? "bad" : response.status >= 400 ? "poor" : ""}`;
      button.tabIndex = index === current ? 0 : -1;
      if (moment === this.chosen) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      const text = textOf(moment);
      if (button.lastElementChild.textContent !== text) button.lastElementChild.textContent = text;
    }
  }

  line(moment) {
    return el("li", {}, el("button", { type: "button", on: { click: () => this.choose(moment) } },
      el("time", { text: moment.time.toLocaleTimeString() }), el("span", { class: "what", dir: "auto", text: textOf(moment) })));
  }

  /** Shows the phone at a moment; null for now. */
  choose(moment) {
    if (this.running) return;
    this.chosen = moment;
    this.state.textContent = "";
    if (moment) this.then.show(moment);
    else if (this.then.layer) return void this.then.now();
    this.draw();
    this.list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  drawDetails() {
    const { picture } = this.chosen ?? {};
    if (!picture) return void fill(this.details);
    const json = (value) => el("pre", { text: JSON.stringify(value, null, 2).slice(0, 50_000) });
    const variables = Object.keys(picture.variables);
    fill(this.details,
      el("h2", { text: "Stack" }), el("ol", { class: "stack" }, picture.view.stack.toReversed().map(({ path, title }, index) => el("li", { class: index === 0 ? "top" : "" }, el("code", { text: path }), el("span", { text: title })))),
      el("h2", { text: "Variables" }), variables.length > 0 ? json(picture.variables) : el("p", { class: "none", text: "There were none." }),
      el("h2", { text: "Session" }), this.host.sessions === "none" ? el("p", { class: "none", text: "This app has no sessions." }) : picture.session === undefined ? el("p", { class: "none", text: "It wasn't asked for then." }) : picture.session === null ? el("p", { class: "none", text: "There was none." }) : json(picture.session));
  }

  async replay() {
    const { chosen } = this;
    if (!chosen) return;
    const { moments } = this.history;
    const actions = (some) => some.map(({ action }) => action).filter(Boolean);
    // The actions end where the app began anew.
    const starts = moments.flatMap(({ kind }, index) => (kind === "start" ? [index + 1] : []));
    const start = starts.findLast((index) => index <= moments.indexOf(chosen) + 1) ?? 0;
    const at = Math.max(start, moments.indexOf(chosen));
    const before = { state: moments[start]?.picture.state, actions: actions(moments.slice(start, at)) };
    const after = actions(moments.slice(at, starts.find((index) => index > start)));
    this.then.now();
    this.running = new Replay(this.host);
    this.draw();
    const problem = await this.running.run(moments[at]?.picture.state, after, before, (text) => (this.state.textContent = text)).catch((error) => `It failed: ${error.message}`);
    this.running = null;
    this.state.textContent = problem ? `The replay ended early. ${problem}` : `Replayed: ${after.length === 1 ? "1 action" : `${after.length} actions`}.`;
    this.draw();
  }

  move(event) {
    const all = [...this.list.querySelectorAll("button")];
    const at = all.indexOf(event.target);
    const next = { ArrowDown: all[at + 1], ArrowUp: all[at - 1], Home: all[0], End: all.at(-1) }[event.key];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
    next.click();
  }
}

function textOf({ words, record }) {
  if (!record) return words;
  const { response } = record;
  const how = response?.failure ? "failed" : response ? `${response.status}, ${Math.round(record.milliseconds)} ms` : "…";
  return `${record.method} ${record.url} → ${how}`;
}
