// Draws the app: the bar, the view, and the tabs.

import { el, fill, icon } from "../core/element.js";
import { drawGallery, drawPhoto } from "./views/gallery.js";
import { drawMovie } from "./views/movie.js";
import { drawNews } from "./views/news.js";
import { drawWeb } from "./views/web.js";

const views = {
  News_view_controller: drawNews, Gallery_view_controller: drawGallery, Web_view_controller: drawWeb, Movie_view_controller: drawMovie, Item_view_controller: drawWeb,
  Photo_view_controller: drawPhoto,
};

export class Drawing {
  constructor(host, client) {
    this.host = host;
    this.client = client;
    this.element = el("div", { class: "floki" });
    host.screen.append(this.element);
  }

  draw() {
    const { client } = this;
    const { view } = client;
    const isSame = this.language === client.language && this.view && view && this.view.data === view.data && this.view.entry === view.entry;
    const start = performance.now();
    const scroll = isSame ? this.element.querySelector(".body")?.scrollTop ?? 0 : 0;
    const focus = isSame ? document.activeElement?.dataset?.input : null;
    const cursor = focus ? document.activeElement.selectionStart : null;
    // A page of its own that is shown is left alone: drawing it anew would load it again.
    const frame = isSame && ["Web_view_controller", "Item_view_controller", "Movie_view_controller"].includes(view?.type) ? this.element.querySelector(".body") : null;
    const body = frame ?? el("div", { class: "body" }, this.content(view));
    const article = el("article", { class: `page ${this.view && !isSame ? (client.stack.length >= (this.depth ?? 0) ? "from-end" : "from-start") : ""}`, "aria-label": view?.title ?? "Floki", "data-pointer": "" },
      this.bar(view), body, client.error || client.stack.length > 0 ? null : this.tabs());
    const isLoading = client.isBusy || (client.isFeed(view) && client.feed(view).isLoading) || client.search?.isLoading === true;
    article.setAttribute("aria-busy", String(isLoading));
    fill(this.element, article);
    body.scrollTop = scroll;
    if (focus) {
      const field = this.element.querySelector(`[data-input="${CSS.escape(focus)}"]`);
      field?.focus({ preventScroll: true });
      if (cursor !== null) field?.setSelectionRange?.(cursor, cursor);
    }
    this.view = view;
    this.language = client.language;
    this.depth = client.stack.length;
    this.say(view);
    performance.measure("draw", { start });
  }

  content(view) {
    const { client, host } = this;
    if (client.error) return el("div", { class: "failure", role: "alert" }, icon("alert"), el("p", { text: "The app can't be shown." }), el("p", { class: "why", dir: "auto", text: client.error }), el("button", { type: "button", text: "Try again", on: { click: () => client.load() } }));
    if (!view) return el("p", { class: "nothing", text: client.isBusy ? "Loading…" : "The app has no tabs." });
    if (!Object.hasOwn(views, view.type)) return el("p", { class: "undrawable" }, icon("alert"), `No client knows the view ${String(view.type)}.`);
    try {
      return views[view.type](view, { client, host });
    } catch (error) {
      return el("p", { class: "undrawable" }, icon("alert"), `This view can't be drawn: ${error.message}`);
    }
  }

  bar(view) {
    const { client } = this;
    const back = client.stack.length > 0 ? el("button", { type: "button", class: "back", "aria-label": "Back", on: { click: () => client.pop() } }, icon("back"), el("span", { text: "Back" })) : null;
    const languages = client.languages.length > 1 && client.stack.length === 0 ? el("select", { class: "language", "aria-label": "Language", on: { change: (event) => client.setLanguage(event.target.value) } },
      client.languages.map((code) => el("option", { value: code, text: code }))) : null;
    if (languages) languages.value = client.language;
    const reload = client.isFeed(view) && view.data.allow_manual_reload === true ? el("button", { type: "button", class: "bar-button", "aria-label": "Reload", on: { click: () => client.loadFeed(view) } }, icon("refresh")) : null;
    const share = view?.entry?.share_url ? el("button", { type: "button", class: "bar-button", "aria-label": client.text(10000), title: view.entry.share_url, on: { click: () => this.host.copy(view.entry.share_url) } }, "⇪") : null;
    return el("header", { class: "title-bar" }, el("div", { class: "start" }, back), el("h1", { class: "title", dir: "auto", text: view?.title ?? "" }), el("div", { class: "end" }, reload, share, languages));
  }

  tabs() {
    const { client, host } = this;
    return el("div", { class: "tab-bar", role: "tablist", "aria-label": "Tabs" }, (client.app?.tabs ?? []).slice(0, 5).map((tab, index) => {
      const picture = typeof tab?.tab_image === "string" ? el("img", { src: `data:image/png;base64,${tab.tab_image.replaceAll(/[^A-Za-z0-9+/=]/g, "")}`, alt: "" }) : null;
      return el("button", { type: "button", role: "tab", "aria-selected": String(index === client.tab), on: { click: () => client.showTab(index) } },
        el("span", { class: "tab-image" }, picture), el("span", { class: "main", text: client.text(tab?.short_title ?? tab?.long_title) }));
    }));
  }

  /** Tells the shell what is shown. */
  say(view) {
    const { client, host } = this;
    const feed = client.isFeed(view) ? client.feed(view) : null;
    const document = feed?.document ?? client.app;
    if (this.said?.document === document && this.said.view === view && this.said.error === client.error) return;
    this.said = { document, view, error: client.error };
    host.shown({
      path: feed?.path ?? host.facts.indicator, title: view?.title ?? "", document, text: feed?.text ?? client.appText, findings: feed ? feed.findings : client.appFindings ?? [], isOwn: false,
      stack: [...(client.app?.tabs[client.tab] ? [{ path: String(client.app.tabs[client.tab].data?.main_url ?? ""), title: client.text(client.app.tabs[client.tab].long_title) }] : []),
        ...client.stack.map((one) => ({ path: String(one.data?.main_url ?? one.entry?.url ?? ""), title: one.title }))],
      variables: { language: client.language, version: client.indicator?.v ?? 0 }, inputs: [],
    });
  }
}
