// Draws the app: the bar, the view, the tabs, and what is offered to share an entry.

import { el, fill, icon } from "../core/element.js";
import { drawBar } from "./bar.js";
import { drawSharing } from "./sharing.js";
import { drawTabs } from "./tabs.js";
import { drawGallery } from "./views/gallery.js";
import { drawItem } from "./views/item.js";
import { drawMovie } from "./views/movie.js";
import { drawNews } from "./views/news.js";
import { drawPhoto } from "./views/photo.js";
import { drawWeb } from "./views/web.js";

const views = {
  News_view_controller: drawNews, Gallery_view_controller: drawGallery, Web_view_controller: drawWeb, Movie_view_controller: drawMovie, Item_view_controller: drawItem,
  Photo_view_controller: drawPhoto,
};
/** Elements that aren't drawn again while they are shown: they would load or play from the beginning. */
const LASTING = new Set(["Web_view_controller", "Item_view_controller", "Movie_view_controller", "Photo_view_controller"]);

export class Drawing {
  constructor(host, client) {
    this.host = host;
    this.client = client;
    this.element = el("div", { class: "floki" });
    host.screen.append(this.element);
    /** Whether the list is shown in front of a view, on a tablet that is held high. */
    this.isListShown = false;
    host.phone.controls.addEventListener("change", () => this.draw());
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      if (client.shared) client.share(null);
      else if (this.isListShown) this.showList(false);
    });
  }

  draw() {
    const start = performance.now();
    const { client } = this;
    const view = client.detail;
    const isSplit = client.isSplit && !client.error && client.tabs.length > 0;
    const isSame = this.view !== undefined && this.view === view && this.error === client.error;
    const before = this.element.querySelector(".page > .body");
    if (!isSame && view) this.isListShown = false;
    const focus = this.focus();
    const isLeft = isSame && LASTING.has(view?.type) && this.edition === view.edition && before !== null;
    const body = isLeft ? before : el("div", { class: "body" }, this.content(view));
    const scroll = isSame ? before?.scrollTop ?? 0 : view?.scroll ?? 0;
    if (!isSame && this.view) this.view.scroll = before?.scrollTop;
    const depth = client.stack.length;
    const motion = isSplit || isSame || !this.view || depth === this.depth ? "" : depth > this.depth ? "from-end" : "from-start";
    const bar = isSplit ? this.detailBar(view) : drawBar(view, this);
    const tabs = client.error || isSplit || depth > 0 ? null : drawTabs(this);
    const lists = isSplit ? this.lists() : [];
    const sharing = client.shared ? drawSharing(client.shared, this) : null;
    const article = isLeft ? before.parentElement : el("article", { class: `page ${motion}`, "data-pointer": "" });
    article.setAttribute("aria-label", view?.title || "Floki");
    article.setAttribute("aria-busy", String(client.isBusy || client.list?.feed?.isLoading === true || client.list?.search?.isLoading === true));
    if (isLeft) {
      // The page stays in the document: one that is taken out of it is loaded again.
      for (const other of [...article.children]) if (other !== body) other.remove();
      body.before(bar);
      body.after(...[tabs].filter(Boolean));
      for (const other of [...this.element.children]) if (other !== article) other.remove();
      article.before(...lists);
      article.after(...[sharing].filter(Boolean));
    } else {
      fill(this.element, lists, fill(article, bar, body, tabs), sharing);
    }
    body.scrollTop = scroll;
    this.element.classList.toggle("split", isSplit);
    if (isSplit) lists[0].querySelector(".body").scrollTop = client.list?.scrollBeside ?? 0;
    Object.assign(this, { view, error: client.error, edition: view?.edition, depth });
    this.refocus(focus, isSame, sharing);
    this.say(view);
    performance.measure("draw", { start });
  }

  // On an iPad lists have a column of their own, or a place in front of the view where there is no room beside it.

  lists() {
    const { client } = this;
    const { list } = client;
    const isBelow = client.stack.includes(list);
    const body = el("div", { class: "body", on: { scroll: () => list && (list.scrollBeside = body.scrollTop) } }, list ? this.content(list) : null);
    const column = el("section", { class: "lists", "aria-label": "Lists" }, drawBar(list, this, { isBelow }), body, isBelow ? null : drawTabs(this));
    this.element.toggleAttribute("data-lists", this.isListShown);
    return [column, el("div", { class: "lists-shade", on: { click: () => this.showList(false) } })];
  }

  detailBar(view) {
    const { client } = this;
    const label = client.text(10016) || client.title(client.tabs[client.tab]);
    const start = el("button", { type: "button", class: "lists-button", "data-key": "lists", "aria-expanded": String(this.isListShown), text: label, on: { click: () => this.showList(true) } });
    const below = client.stack.at(-2);
    return drawBar(view, this, { isBelow: client.stack.length > 1 && client.stack.at(-1) === view && below !== client.list, start });
  }

  showList(isShown) {
    this.isListShown = isShown;
    this.draw();
    this.element.querySelector(isShown ? ".lists :is(button, input)" : ".lists-button")?.focus();
  }

  content(view) {
    const { client } = this;
    if (client.error) {
      return el("div", { class: "failure", role: "alert" }, icon("alert"), el("p", { text: "The app can't be shown." }), el("p", { class: "why", dir: "auto", text: client.error }),
        el("button", { type: "button", text: "Try again", on: { click: () => client.launch() } }));
    }
    if (!view && client.isSplit && client.tabs.length > 0) return el("p", { class: "nothing greeting", dir: "auto", text: client.text(10015) });
    if (!view) return el("p", { class: "nothing", role: "status", text: client.isBusy || !client.app ? "Loading…" : "The app has no tabs." });
    try {
      if (!Object.hasOwn(views, view.type)) throw new Error(`No client knows the class ${JSON.stringify(view.type) ?? "of a view that has none"}.`);
      return views[view.type](view, this);
    } catch (error) {
      this.host.problem(error.message);
      return el("p", { class: "undrawable", role: "alert" }, icon("alert"), el("span", { text: `This view can't be drawn. ${error.message}` }));
    }
  }

  // The keyboard's place. Elements that can have the focus have a `data-key`.

  focus() {
    const active = document.activeElement;
    if (!this.element.contains(active)) return null;
    return { key: active.dataset.key, from: active.tagName === "INPUT" ? active.selectionStart : null, to: active.tagName === "INPUT" ? active.selectionEnd : null };
  }

  refocus(focus, isSame, sharing) {
    if (sharing) return void sharing.querySelector("button").focus();
    if (!focus || this.element.contains(document.activeElement)) return;
    const found = focus.key && this.element.querySelector(`[data-key="${CSS.escape(focus.key)}"]`);
    const element = found || (isSame ? null : this.element.querySelector("h1"));
    element?.focus({ preventScroll: true });
    if (found && focus.from !== null) found.setSelectionRange?.(focus.from, focus.to);
  }

  /** Tells the shell the shown document: the last response of the search or the feed, or else the app data. */
  say(view) {
    const { client, host } = this;
    const list = client.list ?? view;
    const source = [list?.search, list?.feed, client.app].find((one) => one?.document);
    const said = [source?.document, view, list, client.error, client.language, client.stack.length];
    if (this.said?.every((one, index) => one === said[index])) return;
    this.said = said;
    const all = client.root ? [client.root, ...client.stack] : [];
    host.shown({
      path: source?.path ?? host.facts.indicator, title: view?.title ?? list?.title ?? "", document: source?.document ?? null, text: source?.text ?? "", findings: source?.findings ?? [], isOwn: false,
      stack: all.map(({ url, title, tag }) => ({ path: url, title, isResults: tag !== null })), variables: { language: client.language, version: client.indicator?.document.v ?? 0 }, inputs: [],
    });
  }
}
