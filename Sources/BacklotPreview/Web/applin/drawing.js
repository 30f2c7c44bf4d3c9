// Draws what is on top of the stack: the title bar, the page, and what stands in front of it.

import { el, fill, icon } from "../core/element.js";
import { drawWidget } from "./widgets.js";
import { drawModal } from "./modal.js";
import { drawPhotoPicker } from "./photo-picker.js";
import { staticPage } from "./static-pages.js";

export class Drawing {
  constructor(host, client) {
    this.host = host;
    this.client = client;
    this.element = el("div", { class: "applin" });
    host.screen.append(this.element);
    this.drawn = null;
    this.layer = null;
  }

  draw() {
    const { top } = this.client;
    if (!top) return;
    // Unchanged elements stay, so that typing and screen readers aren't disturbed.
    const state = JSON.stringify([this.client.variables, this.client.lastError?.message ?? null, this.client.stack.length]);
    if (this.drawn?.page !== top.page || this.drawn.path !== top.path || this.drawn.state !== state) {
      const start = performance.now();
      this.drawPage(top, state);
      this.say(top);
      performance.measure("draw", { start });
    }
    this.element.toggleAttribute("data-busy", this.client.isBusy);
    this.element.querySelector(".page")?.setAttribute("aria-busy", String(this.client.isBusy));
    this.drawLayer();
  }

  drawPage(entry, state) {
    const { page, path } = entry;
    const isSame = this.drawn?.path === path;
    const focus = isSame ? focused(this.element) : null;
    const scrolls = isSame ? scrollsOf(this.element) : [];
    const isForward = !this.drawn || this.client.stack.length >= this.drawn.depth;
    const context = { host: this.host, client: this.client, entry, depth: 0 };
    const { root } = page;
    const body = el("div", { class: "body" }, drawWidget(root.widget, "/page/widget", context));
    const article = el("article", { class: `page ${page.typ === "nav_page" ? "nav-page" : "plain-page"}`, "aria-label": page.title || path, "data-pointer": "/page" },
      page.typ === "nav_page" ? this.titleBar(page) : null, body);
    if (!isSame && this.drawn) article.classList.add(isForward ? "from-end" : "from-start");
    fill(this.element, article);
    this.layer = null;
    this.drawn = { page, path, state, depth: this.client.stack.length };
    if (isSame) {
      for (const [index, element] of scrollers(this.element).entries()) element.scrollTop = scrolls[index] ?? 0;
      restore(this.element, focus);
    }
  }

  titleBar(page) {
    const label = el("span", { text: "Back" });
    // A button of the page's own takes the swipe from the edge away (Applin documentation, nav_page).
    const back = (actions, isDisabled, pointer) =>
      el("button", {
        class: "back", type: "button", disabled: isDisabled, "data-pointer": pointer, "aria-label": "Back", "data-stays": pointer !== null,
        on: { click: () => { this.host.step({ do: "back" }); this.client.tap(actions); } },
      }, icon("back"), label);
    let start = null;
    if (page.back === "standard" && this.client.stack.length > 1) start = back([{ typ: "pop" }], false, null);
    else if (Array.isArray(page.back)) start = back(page.back, page.back.length === 0, "/page/start");
    const title = el("h1", { class: "title", text: page.title });
    return el("header", { class: "title-bar" }, el("div", { class: "start" }, start), title, el("div", { class: "end" }));
  }

  drawLayer() {
    const { layer } = this.client;
    if (layer === this.layer) return;
    this.layer = layer;
    // The focus goes back to where it was before the layer.
    const focus = focused(this.element);
    if (focus?.pointer) this.opener = focus;
    this.element.querySelector(".layer")?.remove();
    const page = this.element.querySelector(".page");
    page.inert = layer !== null;
    if (!layer) {
      restore(this.element, this.opener);
      this.opener = null;
      return;
    }
    const context = { host: this.host, client: this.client };
    const front = layer.modal ? drawModal(layer.modal, context) : drawPhotoPicker(layer.photo, context);
    this.element.append(front);
    (front.querySelector("[data-first]") ?? front.querySelector("button"))?.focus({ preventScroll: true });
  }

  /** Tells the shell what is shown. */
  say(entry) {
    const { path, page } = entry;
    if (!staticPage(path) && page.text) {
      const address = this.host.basePath + path.slice(1);
      try {
        if (location.pathname + location.search !== address) history.replaceState(null, "", address);
      } catch {
        // A path that can't stand in the address isn't shown there.
      }
    }
    const { rejected } = this.client;
    this.client.rejected = null;
    this.host.shown({
      path, title: page.title, document: page.document, text: page.text, findings: entry.findings, isOwn: Boolean(staticPage(path)),
      rejected: staticPage(path) ? rejected ?? this.host.view.rejected : null,
      stack: this.client.stack.map((one) => ({ path: one.path, title: one.page.title, poll: one.page.pollSeconds, isEphemeral: one.page.isEphemeral })),
      variables: this.client.variables, inputs: page.inputs, client: this.client.chosen,
    });
  }
}

function scrollers(element) {
  return [...element.querySelectorAll(".scroll, .body")];
}

function scrollsOf(element) {
  return scrollers(element).map((scroller) => scroller.scrollTop);
}

/** The focused element, and the cursor's position in it. */
function focused(element) {
  const active = document.activeElement;
  if (!active || !element.contains(active)) return null;
  const pointer = active.closest("[data-pointer]")?.dataset.pointer;
  let selection = null;
  try {
    selection = [active.selectionStart, active.selectionEnd];
  } catch {
    // Not all inputs have one.
  }
  return { input: active.dataset.input, pointer, selection };
}

function restore(element, focus) {
  if (!focus?.pointer) return;
  const named = (key) => focus[key] && element.querySelector(`[data-${key}="${CSS.escape(focus[key])}"]`);
  // A field with a renamed variable is still the same field.
  const found = named("input") || named("pointer");
  const target = found?.matches("button, input, textarea, select") ? found : found?.querySelector("button, input, textarea, select");
  target?.focus({ preventScroll: true });
  if (focus.selection && focus.selection[0] !== null) {
    try {
      target?.setSelectionRange?.(...focus.selection);
    } catch {
      // Not all inputs have one.
    }
  }
}
