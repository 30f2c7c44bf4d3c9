// The phone: its frame, its size, and how its screen looks.

import { el, icon } from "../core/element.js";

const SIZES = {
  "Small phone": [375, 667], Phone: [390, 844], "Large phone": [430, 932], Tablet: [820, 1180], "Tablet, wide": [1180, 820],
};
/** How far a page is drawn away to go back, and how far a finger may move in a tap: shares of the screen's width. */
const [FAR, NEAR] = [0.3, 0.02];
const TEXT_SIZES = { Small: 0.85, Normal: 1, Large: 1.2, "Extra large": 1.5, Accessibility: 2 };
const CHOICES = {
  size: { label: "Size", options: Object.keys(SIZES), usual: "Phone" },
  platform: { label: "Platform", options: ["iOS", "Android"], usual: "iOS" },
  theme: { label: "Colours", options: ["System", "Light", "Dark"], usual: "System" },
  text: { label: "Text size", options: Object.keys(TEXT_SIZES), usual: "Normal" },
  direction: { label: "Direction", options: ["Left to right", "Right to left"], usual: "Left to right" },
};

/** It dispatches `look` when somebody has chosen how it looks. */
export class Phone extends EventTarget {
  constructor(memory, exchanges) {
    super();
    this.memory = memory;
    /** The element that a protocol's client draws into. */
    this.screen = el("div", { class: "app" });
    this.clock = el("span", { class: "clock", text: "9:41" });
    this.activity = el("div", { class: "activity", role: "progressbar", "aria-label": "Waiting for the server", hidden: true });
    this.glass = el("div", { class: "screen" },
      el("div", { class: "status-bar", "aria-hidden": "true" }, this.clock, el("span", { class: "island" }), el("span", { class: "signs" }, el("i"), el("i"), el("i", { class: "battery" }))),
      this.activity, this.screen, this.edge(), el("div", { class: "home-bar", "aria-hidden": "true" }));
    this.frame = el("div", { class: "phone" }, this.glass);
    this.stage = el("div", { class: "stage" }, this.frame);
    this.controls = el("div", { class: "controls", role: "toolbar", "aria-label": "The phone" });
    for (const [name, choice] of Object.entries(CHOICES)) this.controls.append(this.select(name, choice));
    this.element = el("section", { class: "phone-side", "aria-label": "Phone" }, this.controls, this.stage);
    this.apply();
    let timer = null;
    exchanges.addEventListener("running", () => {
      clearTimeout(timer);
      // What is answered at once needs no sign.
      if (exchanges.running > 0) timer = setTimeout(() => (this.activity.hidden = false), 250);
      else this.activity.hidden = true;
    });
    new ResizeObserver(() => this.fit()).observe(this.stage);
  }

  get isTablet() {
    return this.value("size").startsWith("Tablet");
  }

  value(name) {
    const kept = this.memory.get(name);
    return CHOICES[name].options.includes(kept) ? kept : CHOICES[name].usual;
  }

  select(name, { label, options }) {
    const select = el("select", { "aria-label": label, title: label }, options.map((option) => el("option", { value: option, text: option })));
    select.value = this.value(name);
    select.dataset.choice = name;
    select.addEventListener("change", () => {
      this.memory.set(name, select.value);
      this.apply();
      this.dispatchEvent(new Event("look"));
    });
    return select;
  }

  apply() {
    const [width, height] = SIZES[this.value("size")];
    this.frame.style.setProperty("--width", `${width}px`);
    this.frame.style.setProperty("--height", `${height}px`);
    this.frame.style.setProperty("--text", String(TEXT_SIZES[this.value("text")]));
    this.frame.dataset.platform = this.value("platform").toLowerCase();
    this.frame.dataset.theme = this.value("theme").toLowerCase();
    this.frame.dataset.kind = this.isTablet ? "tablet" : "phone";
    this.frame.dataset.shape = width > height ? "wide" : "high";
    this.glass.dir = this.value("direction") === "Right to left" ? "rtl" : "ltr";
    this.fit();
  }

  /** The edge where lines begin. A finger that draws the page away from there goes back, as on iOS; a tap is one on what is below. */
  edge() {
    const strip = el("div", { class: "edge", "aria-hidden": "true" });
    let start = null;
    const isMirrored = () => this.glass.dir === "rtl";
    const way = ({ clientX }) => ((isMirrored() ? -1 : 1) * (clientX - start)) / this.glass.getBoundingClientRect().width;
    const draw = (share) => this.screen.querySelector(".page")?.style.setProperty("translate", share > 0 ? `${(isMirrored() ? -100 : 100) * share}%` : "");
    strip.addEventListener("pointerdown", (event) => {
      start = event.clientX;
      strip.setPointerCapture(event.pointerId);
    });
    strip.addEventListener("pointermove", (event) => start !== null && draw(way(event)));
    strip.addEventListener("pointercancel", () => {
      start = null;
      draw(0);
    });
    strip.addEventListener("pointerup", (event) => {
      if (start === null) return;
      const share = way(event);
      start = null;
      draw(0);
      if (share >= FAR) this.screen.querySelector(".page .back:not(:disabled, [data-stays])")?.click();
      else if (Math.abs(share) < NEAR) document.elementsFromPoint(event.clientX, event.clientY).find((one) => one !== strip)?.click?.();
    });
    return strip;
  }

  /** Makes the phone so small that all of it is there. */
  fit() {
    const [width, height] = SIZES[this.value("size")];
    const space = this.stage.getBoundingClientRect();
    if (space.width === 0) return;
    const scale = Math.min(1, (space.width - 8) / (width + 28), (space.height - 8) / (height + 28));
    this.frame.style.setProperty("--scale", String(Math.max(0.25, scale)));
  }
}
