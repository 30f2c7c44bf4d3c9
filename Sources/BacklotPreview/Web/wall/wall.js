// The wall: the page that the phone shows, on other devices side by side. They are scrolled and driven together.

import { el, fill, icon } from "../core/element.js";
import { LOOKS } from "./looks.js";
import { Mirror, shareOf } from "./mirror.js";

export class Wall {
  constructor(host, memory) {
    this.host = host;
    this.memory = memory;
    this.tiles = el("div", { class: "tiles" });
    this.note = el("p", { class: "note", role: "status" });
    /** The scroll positions that the phone's parts took over from a device. */
    this.led = new WeakMap();
    const zoom = el("input", { type: "range", min: "0.2", max: "1", step: "0.05", value: String(memory.get("wall zoom") ?? 0.5), "aria-label": "How large the devices are" });
    const apply = () => this.tiles.style.setProperty("--scale", zoom.value);
    zoom.addEventListener("input", () => {
      memory.set("wall zoom", Number(zoom.value));
      apply();
    });
    apply();
    this.element = el("section", { class: "wall", "aria-label": "The wall", hidden: true },
      el("header", { class: "wall-bar" }, el("h2", { text: "The wall" }), el("label", {}, icon("search"), zoom),
        el("button", { type: "button", on: { click: () => this.show(false) } }, icon("close"), "Close the wall")),
      el("p", { class: "note", text: "As preview draws the page, not as these devices do. What you do or scroll on one happens on all, once for the server." }), this.note, this.tiles);
    /** Shows and hides it. */
    this.button = el("button", { type: "button", "aria-pressed": "false", title: "This page on other devices side by side", on: { click: () => this.show(this.element.hidden) } }, icon("grid"), "Wall");
    new MutationObserver(() => this.later()).observe(host.screen, { childList: true, subtree: true, characterData: true, attributes: true });
    for (const event of ["input", "change"]) host.screen.addEventListener(event, () => this.later());
    host.screen.addEventListener("scroll", ({ target }) => this.scroll(target, shareOf(target), null), true);
    host.phone.addEventListener("look", () => this.choose());
  }

  /** Shows it in the place of the view inside, or the view inside again. */
  show(isShown) {
    this.memory.set("wall", isShown);
    this.element.hidden = !isShown;
    this.button.setAttribute("aria-pressed", String(isShown));
    this.element.parentElement?.classList.toggle("with-wall", isShown);
    if (isShown) this.choose();
    else fill(this.tiles);
    if (!isShown) this.mirrors = [];
    (isShown ? this.element.querySelector("button") : this.button).focus();
  }

  /** Chooses the devices: an app may send other responses to them than to this phone. */
  choose() {
    if (this.element.hidden) return;
    const { phone, app } = this.host;
    const bound = app?.boundTo ?? [];
    const isSame = (look) => (!bound.includes("platform") || look.platform === phone.value("platform")) && (!bound.includes("tablet") || look.size.endsWith("ablet") === phone.isTablet);
    const looks = LOOKS.filter(isSame);
    if (this.mirrors?.map(({ look }) => look).join() !== looks.join() || this.mirrors.length !== looks.length) {
      this.mirrors = looks.map((look) => new Mirror(this.host, look));
      for (const mirror of this.mirrors) mirror.onScroll = (original, share, from) => this.scroll(original, share, from);
      fill(this.tiles, this.mirrors.map(({ element }) => element));
    }
    this.note.textContent = looks.length < LOOKS.length ? `This app sends ${bound.join(" and ")} its own pages, so devices like the phone are shown: choose another one above the phone for the others.` : "";
    this.later();
  }

  /** Draws all devices, one in each frame, so that the phone stays quick. */
  later() {
    if (this.element.hidden || this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      const round = (this.round = {});
      const waiting = [...(this.mirrors ?? [])];
      const next = () => {
        if (this.round !== round) return;
        waiting.shift()?.draw();
        if (waiting.length > 0) requestAnimationFrame(next);
      };
      next();
    });
  }

  /** Scrolls what shows an element, as far as that. */
  scroll(original, share, from) {
    if (this.element.hidden || !(original instanceof Element)) return;
    if (from) {
      original.scrollTop = share * (original.scrollHeight - original.clientHeight);
      this.led.set(original, original.scrollTop);
    } else if (this.led.get(original) === original.scrollTop) {
      // The phone has followed a device, which may be further by now.
      return;
    } else this.led.delete(original);
    for (const mirror of this.mirrors ?? []) if (mirror !== from) mirror.follow(original, share);
  }
}
