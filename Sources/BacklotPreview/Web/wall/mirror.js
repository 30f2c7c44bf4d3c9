// Another device that shows what the phone shows. It has no client: it draws a copy, and what is done there is done on the phone.

import { el } from "../core/element.js";
import { SIZES } from "../phone/controls.js";
import { dress, statusBar } from "../phone/phone.js";
import { writePseudo } from "./pseudo.js";

/** The most elements that are copied. */
const MOST = 6000;
const FOCUSABLE = "a, button, input, select, textarea, iframe, video, [tabindex]";

export class Mirror {
  constructor(host, look) {
    this.host = host;
    this.look = look;
    this.originals = new WeakMap();
    this.copies = new WeakMap();
    this.screen = el("div", { class: "app" });
    this.glass = el("div", { class: "screen", "aria-hidden": "true" }, statusBar(), this.screen, el("div", { class: "home-bar" }));
    this.frame = el("div", { class: "phone" }, this.glass);
    const [width, height] = SIZES[look.size];
    dress(this.frame, this.glass, { ...look, size: look.rotated ? [height, width] : [width, height], isTablet: look.size.endsWith("ablet") });
    this.element = el("figure", { class: "tile", "data-look": look.id }, this.frame, el("figcaption", { text: look.name }));
    // The focus stays on the phone, where keys are typed.
    this.glass.addEventListener("mousedown", (event) => event.preventDefault());
    this.glass.addEventListener("click", (event) => this.click(event), true);
    this.screen.addEventListener("scroll", (event) => this.scrolled(event.target), true);
    this.onScroll = () => {};
  }

  /** Copies what the phone shows. */
  draw() {
    const { screen } = this.host;
    const copy = screen.cloneNode(screen.getElementsByTagName("*").length <= MOST);
    if (!copy.hasChildNodes() && screen.hasChildNodes()) copy.append(el("p", { class: "nothing", text: `A page of more than ${MOST} elements is shown on the phone alone.` }));
    else this.pair(screen, copy);
    for (const one of copy.querySelectorAll("[id]")) one.removeAttribute("id");
    // Radio buttons of one name have one choice between them, the phone's and all copies.
    for (const one of copy.querySelectorAll("[type=radio]")) one.removeAttribute("name");
    for (const one of copy.querySelectorAll(FOCUSABLE)) one.tabIndex = -1;
    for (const one of copy.querySelectorAll("[data-marked], [data-chosen]")) for (const name of ["marked", "chosen"]) delete one.dataset[name];
    // New contents are shown without a transition.
    for (const one of copy.querySelectorAll(".from-end, .from-start")) one.classList.remove("from-end", "from-start");
    if (this.look.isPseudo) writePseudo(copy);
    const scrolls = this.scrolls();
    this.screen.replaceChildren(...copy.childNodes);
    this.host.app?.arrange?.(this.screen);
    for (const [original, share] of scrolls) this.follow(original, share);
  }

  /** Maps elements to their copies, and copies the values of fields. */
  pair(original, copy) {
    const originals = document.createTreeWalker(original, NodeFilter.SHOW_ELEMENT);
    const copies = document.createTreeWalker(copy, NodeFilter.SHOW_ELEMENT);
    while (originals.nextNode() && copies.nextNode()) {
      const [from, to] = [originals.currentNode, copies.currentNode];
      this.originals.set(to, from);
      this.copies.set(from, to);
      if (from.matches("input:not([type=file]), textarea, select")) {
        to.value = from.value;
        if (from.type === "checkbox" || from.type === "radio") to.checked = from.checked;
      }
    }
  }

  click(event) {
    event.preventDefault();
    event.stopPropagation();
    const original = this.originals.get(event.target);
    if (!original?.isConnected) return;
    original.click();
    original.closest("input, textarea, select")?.focus();
  }

  // Scrolling

  scrolls() {
    return [...this.host.screen.querySelectorAll("*")].filter((one) => one.scrollTop > 0).map((one) => [one, shareOf(one)]);
  }

  scrolled(element) {
    const original = this.originals.get(element);
    // A scroll that follows the phone isn't passed on.
    if (!original || Math.abs(element.scrollTop - (this.followed?.get(element) ?? -9)) < 2) return;
    this.followed?.delete(element);
    this.onScroll(original, shareOf(element), this);
  }

  /** Scrolls the copy of an element as far as that. */
  follow(original, share) {
    const copy = this.copies.get(original);
    if (!copy) return;
    copy.scrollTop = share * (copy.scrollHeight - copy.clientHeight);
    this.followed ??= new WeakMap();
    this.followed.set(copy, copy.scrollTop);
  }
}

export function shareOf(element) {
  const room = element.scrollHeight - element.clientHeight;
  return room > 0 ? element.scrollTop / room : 0;
}
