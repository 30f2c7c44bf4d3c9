// The selected part of the page, the same in the tree, the JSON and on the phone.

export class Selection extends EventTarget {
  constructor(host) {
    super();
    this.host = host;
    this.pointer = null;
    this.isPicking = false;
    this.onPicking = () => {};
    this.onPicked = () => {};
    const { screen } = host;
    screen.addEventListener("pointerover", (event) => this.isPicking && this.mark(pointerOf(event.target)));
    screen.addEventListener("pointerleave", () => this.mark(null));
    screen.addEventListener("click", (event) => {
      if (!this.isPicking) return;
      event.preventDefault();
      event.stopPropagation();
      const pointer = pointerOf(event.target);
      this.togglePicking();
      if (pointer) {
        this.onPicked();
        this.choose(pointer);
      }
    }, true);
    document.addEventListener("keydown", (event) => {
      if (!this.isPicking || event.key !== "Escape") return;
      event.stopPropagation();
      this.togglePicking();
    }, true);
    host.addEventListener("shown", () => this.shown());
    host.addEventListener("looked", () => this.apply());
  }

  /** Something is shown: on another page there is nothing to pick that a person had in mind. */
  shown() {
    const { path, stack } = this.host.view;
    const page = `${stack.length} ${path}`;
    if (this.isPicking && page !== this.page) this.togglePicking();
    this.page = page;
    this.apply();
  }

  togglePicking() {
    this.isPicking = !this.isPicking;
    this.mark(null);
    this.onPicking(this.isPicking);
  }

  /** Chooses a part, until another is. */
  choose(pointer) {
    this.pointer = pointer;
    this.apply();
    element(this.host, pointer)?.scrollIntoView({ block: "nearest" });
    this.dispatchEvent(new Event("chosen"));
  }

  /** Shows a part while the mouse is over it elsewhere. */
  mark(pointer) {
    for (const marked of this.host.seenScreen.querySelectorAll("[data-marked]")) marked.removeAttribute("data-marked");
    if (pointer) element(this.host, pointer)?.setAttribute("data-marked", "");
  }

  apply() {
    const { seenScreen: screen, seen: view } = this.host;
    for (const found of screen.querySelectorAll("[data-chosen], [data-finding]")) {
      found.removeAttribute("data-chosen");
      found.removeAttribute("data-finding");
    }
    const places = view.findings.length > 0 ? new Map([...screen.querySelectorAll("[data-pointer]")].map((one) => [one.dataset.pointer, one])) : null;
    if (this.pointer) element(this.host, this.pointer)?.setAttribute("data-chosen", "");
    for (const finding of view.findings) {
      let at = finding.pointer;
      while (at && !places.has(at)) at = at.slice(0, at.lastIndexOf("/"));
      const found = places.get(at);
      if (!found || found.dataset.finding === "error") continue;
      found.setAttribute("data-finding", finding.severity);
      found.title = `${finding.message} ${finding.fix}`;
    }
  }
}

/** The element for a place, or for what stands around it. */
export function element(host, pointer) {
  for (let at = pointer; at; at = at.slice(0, at.lastIndexOf("/"))) {
    const found = host.seenScreen.querySelector(`[data-pointer="${CSS.escape(at)}"]`);
    if (found) return found;
  }
  return null;
}

function pointerOf(target) {
  return target.closest?.("[data-pointer]")?.dataset.pointer ?? null;
}
