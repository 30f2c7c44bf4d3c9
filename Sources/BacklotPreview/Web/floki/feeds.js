// The views that are shown, and the feeds and searches in them.

import { AppData } from "./app-data.js";
import { Search } from "./search.js";
import { feedURL } from "./urls.js";
import { object, positive, words } from "./values.js";
import { isList, makeView, plain } from "./views.js";

export class Feeds extends AppData {
  /** Its place, as plain data. */
  get place() {
    return { tab: this.tabs[this.tab]?.unique_id, language: this.language, stack: this.stack.map(plain) };
  }

  /** The current view, or null. */
  get view() {
    return this.stack.at(-1) ?? this.root;
  }

  /** The current list, on an iPad beside its chosen entry; or null. */
  get list() {
    return this.isSplit ? [this.root, ...this.stack].findLast((view) => view && isList(view.type)) ?? null : this.view;
  }

  /** The view beside the list on an iPad, or the only view elsewhere; or null. */
  get detail() {
    return this.isSplit && this.view && isList(this.view.type) ? null : this.view;
  }

  get root() {
    const tab = this.tabs[this.tab];
    if (!tab) return null;
    const key = `${tab.unique_id} ${this.language}`;
    if (!this.roots.has(key)) {
      const base = words(object(tab.data).main_url);
      // The language stands behind the address of a tab's feed or page; a movie is a file.
      const url = tab.class_type === "Movie_view_controller" ? base : base + this.language;
      this.roots.set(key, makeView({ type: tab.class_type, url, base, data: tab.data, title: this.title(tab), pointer: tab.pointer }));
    }
    return this.roots.get(key);
  }

  // Feeds

  isDue({ feed, data }) {
    return performance.now() - feed.fetched >= positive(data.ttl, 300) * 1000 || (data.download_if_virgin === true && feed.fetched === -Infinity);
  }

  /** The indicator and the current feed are requested again after their `ttl`. */
  async lookAgain() {
    if (this.isDraft) return;
    const { view } = this;
    if (this.indicator && !this.isBusy && performance.now() - this.looked >= positive(this.indicator.document.ttl, 43_200) * 1000) {
      await this.load();
      // Other app data has other views.
      if (view !== this.view) await this.arrive();
      return;
    }
    const { list } = this;
    if (list?.feed && !list.tag && !list.feed.isLoading && this.isDue(list)) this.refresh(true);
  }

  /** Asks for the newest window of the feed that is shown. */
  refresh(isBackground = false) {
    const view = this.list;
    const { shown } = view.feed;
    return this.fetch(view, feedURL(view.url, this.what(shown)), "feed", isBackground, (response) => view.feed.refresh(response, !this.isAndroid));
  }

  /** Whether older entries are offered. iOS doesn't in a feed with sections, and Android never. */
  offersOlder({ feed }) {
    return feed.hasOlder && !this.isAndroid && feed.sections === null;
  }

  /** Asks for older entries. */
  loadOlder() {
    const view = this.list;
    const { shown } = view.feed;
    this.host.step({ do: "loadOlder" });
    const url = feedURL(view.url, { ...this.what(shown), o: shown.at(-1)?.id });
    return this.fetch(view, url, "older", false, (response) => view.feed.extend(response));
  }

  /** The facts about the device and its entries in a request. */
  what(shown) {
    const ids = shown.map(({ id }) => id);
    return { isTablet: this.host.phone.isTablet, ...(ids.length > 0 ? { l: Math.min(...ids), h: Math.max(...ids) } : {}) };
  }

  async fetch(view, url, note, isBackground, take) {
    const { feed } = view;
    if (feed.isLoading) return;
    feed.isLoading = true;
    feed.isOutdated = false;
    const before = feed.document;
    this.changed();
    try {
      if (view.base === "") throw new Error("The view has no \"main_url\".");
      const response = await this.requests.ask(url, note, isBackground);
      // Somebody may have written one meanwhile.
      if (feed.document === before) take(response);
    } catch (error) {
      feed.error = error.message;
      // It is requested again after the time that a response would have lasted.
      feed.fetched = performance.now();
      this.host.problem(error.message);
    }
    feed.isLoading = false;
    this.changed();
    // The server has changed since the request.
    if (!feed.isOutdated || this.isDraft) return;
    feed.fetched = -Infinity;
    if (view === this.list) await this.refresh(true);
  }

  // Search

  find(view, text) {
    if (text.trim() === "") return this.endSearch(view);
    this.host.step({ do: "search", words: text });
    view.search = new Search(view.data.search_bar, text);
    return this.findMore(view);
  }

  async findMore(view) {
    const { search } = view;
    const next = search.next(this.requests, this.language);
    this.changed();
    await next;
    this.changed();
  }

  endSearch(view) {
    view.search = null;
    this.changed();
  }
}
