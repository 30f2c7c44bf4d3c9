// The phone: its frame, its size, and how its screen looks.

import { el } from "../core/element.js";
import { CHOICES, SIZES, TEXT_SIZES, phoneControls } from "./controls.js";
import { edge } from "./edge.js";

/** The frame around the screen, in points. */
const FRAME = 28;

/** It dispatches `look` when somebody has chosen how it looks. */
export class Phone extends EventTarget {
  constructor(memory, exchanges) {
    super();
    this.memory = memory;
    /** The element that a protocol's client draws into. */
    this.screen = el("div", { class: "app" });
    this.activity = el("div", { class: "activity", role: "progressbar", "aria-label": "Waiting for the server", hidden: true });
    this.glass = el("div", { class: "screen" }, statusBar(), this.activity, this.screen, edge(this), el("div", { class: "home-bar", "aria-hidden": "true" }));
    this.frame = el("div", { class: "phone" }, this.glass);
    this.stage = el("div", { class: "stage", tabindex: "-1" }, this.frame);
    this.controls = phoneControls(this);
    this.element = el("section", { class: "phone-side", "aria-label": "Phone" }, this.controls, this.stage);
    this.apply();
    let timer = null;
    exchanges.addEventListener("running", () => {
      clearTimeout(timer);
      // A quick response needs no spinner.
      if (exchanges.running > 0) timer = setTimeout(() => (this.activity.hidden = false), 250);
      else this.activity.hidden = true;
    });
    new ResizeObserver(() => this.fit()).observe(this.stage);
  }

  get isTablet() {
    return this.value("size").endsWith("ablet");
  }

  get isOnItsSide() {
    return this.memory.get("rotated") === true;
  }

  /** Its width and height in the current orientation. */
  get size() {
    const [width, height] = SIZES[this.value("size")];
    return this.isOnItsSide ? [height, width] : [width, height];
  }

  value(name) {
    const kept = this.memory.get(name);
    return CHOICES[name].options.some(([value]) => value === kept) ? kept : CHOICES[name].usual;
  }

  choose(name, value) {
    this.memory.set(name, value);
    this.apply();
    this.dispatchEvent(new Event("look"));
  }

  apply() {
    dress(this.frame, this.glass, {
      size: this.size, platform: this.value("platform"), theme: this.value("theme"), text: this.value("text"), direction: this.value("direction"), isTablet: this.isTablet,
    });
    this.fit();
  }

  /** Makes the phone so small that all of it is there, or as large as is chosen. */
  fit() {
    const space = this.stage.getBoundingClientRect();
    if (space.width === 0) return;
    const zoom = this.value("zoom");
    const scale = zoom === "Fit" ? Math.min(1, (space.width - 8) / (this.size[0] + FRAME), this.scaleFor(space.height)) : Number(zoom);
    this.frame.style.setProperty("--scale", String(Math.max(0.25, scale)));
  }

  /** Its scale when it fills the height of its place. */
  scaleFor(height) {
    return Math.min(1, (height - 8) / (this.size[1] + FRAME));
  }

  /** The width that a place of this height needs, in pixels. */
  widthFor(height) {
    return (this.size[0] + FRAME) * (this.value("zoom") === "Fit" ? this.scaleFor(height) : Number(this.value("zoom"))) + 24;
  }
}

/** The parts above an app. */
export function statusBar() {
  return el("div", { class: "status-bar", "aria-hidden": "true" }, el("span", { class: "clock", text: "9:41" }), el("span", { class: "island" }),
    el("span", { class: "signs" }, el("i"), el("i"), el("i", { class: "battery" })));
}

/** Gives a frame and its glass the looks of a device. */
export function dress(frame, glass, { size: [width, height], platform, theme, text, direction, isTablet }) {
  frame.style.setProperty("--width", `${width}px`);
  frame.style.setProperty("--height", `${height}px`);
  frame.style.setProperty("--text", String(TEXT_SIZES[text]));
  frame.dataset.platform = platform.toLowerCase();
  frame.dataset.theme = theme.toLowerCase();
  frame.dataset.kind = isTablet ? "tablet" : "phone";
  frame.dataset.shape = width > height ? "wide" : "high";
  glass.dir = direction === "Right to left" ? "rtl" : "ltr";
}
