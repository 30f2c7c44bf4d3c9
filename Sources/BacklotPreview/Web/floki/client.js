// What a Floki client knows and does.

import { Feed } from "./feed.js";
import { feedURL, filled, ownPath } from "./urls.js";

export class Client {
  constructor(host) {
    this.host = host;
    this.indicator = null;
    this.app = null;
    this.appText = "";
    this.error = null;
    this.isBusy = false;
    const kept = host.memory.get("place") ?? {};
    this.language = kept.language ?? navigator.language.slice(0, 2);
    this.tab = kept.tab ?? 0;
    /** The views above each tab's own: `{type, data, title, entry}`. */
    this.stack = [];
    this.feeds = new Map();
    this.search = null;
    this.onChange = () => {};
    setInterval(() => this.refreshOld(), 2000);
  }

  // Starting

  async launch() {
    this.host.clearSteps();
    this.host.step({ do: "launch" });
    await this.load();
  }

  async restart() {
    this.feeds.clear();
    this.stack = [];
    this.search = null;
    this.indicator = null;
    await this.launch();
  }

  /** Asks for the version, and for the app data where it is another one. */
  async load() {
    this.isBusy = true;
    this.changed();
    try {
      const { document: indicator } = await this.ask(this.host.facts.indicator, "version indicator");
      if (this.indicator?.v !== indicator.v || !this.app) {
        const path = ownPath(indicator.url);
        if (path === null) throw new Error(`The app data is on another host, ${indicator.url}, which preview doesn't ask.`);
        const answer = await this.ask(path, "app data");
        if (!Array.isArray(answer.document.tabs) || !Array.isArray(answer.document.langs)) throw new Error("The app data has no \"tabs\" or no \"langs\".");
        const ids = answer.document.tabs.map((tab) => tab?.unique_id);
        if (new Set(ids).size < ids.length) throw new Error("Two tabs have one unique_id: clients drop every tab.");
        Object.assign(this, { app: answer.document, appText: answer.text, appFindings: answer.findings });
        if (!this.languages.includes(this.language)) [this.language] = this.languages;
        this.tab = Math.min(this.tab, Math.max(0, answer.document.tabs.length - 1));
      }
      this.indicator = indicator;
      this.error = null;
    } catch (error) {
      this.error = error.message;
      this.host.problem(error.message);
    }
    this.isBusy = false;
    this.open();
  }

  /** The server has something new. */
  async again() {
    await this.load();
    const { view } = this;
    if (this.isFeed(view)) await this.loadFeed(view, true);
  }

  async ask(path, note, isBackground = false) {
    const answer = await this.host.send({ method: "GET", url: path, headers: { Accept: "application/json" }, note, isBackground });
    if (answer.failure) throw new Error(`No answer: ${answer.failure}`);
    if (answer.status < 200 || answer.status > 299) throw new Error(`The server answered ${answer.status} for ${path}; clients keep what they have.`);
    const findings = (await this.host.inspect(path, answer.text ?? "")) ?? [];
    let document = null;
    try {
      document = JSON.parse(answer.text ?? "");
    } catch (error) {
      throw new Error(`The answer for ${path} can't be read as JSON: ${error.message}.`);
    }
    if (document === null || typeof document !== "object" || Array.isArray(document)) throw new Error(`The answer for ${path} is no JSON object.`);
    return { document, text: answer.text, findings };
  }

  // Languages and texts

  get languages() {
    return (this.app?.langs ?? []).flatMap((one) => Object.keys(one ?? {}));
  }

  /** A text by its number, in the language that is chosen or else the master's. */
  text(id) {
    const tables = this.app?.langs ?? [];
    for (const code of [this.language, this.languages[0]]) {
      const found = tables.find((one) => one && Object.hasOwn(one, code))?.[code]?.[String(id)];
      if (typeof found === "string") return found;
    }
    return id === undefined ? "" : `#${id}`;
  }

  setLanguage(code) {
    this.language = code;
    this.stack = [];
    this.search = null;
    this.host.step({ do: "language", code });
    this.open();
  }

  // Views

  /** The view that is shown. */
  get view() {
    const tab = this.app?.tabs[this.tab];
    return this.stack.at(-1) ?? (tab ? { type: tab.class_type, data: tab.data ?? {}, title: this.text(tab.long_title) } : null);
  }

  isFeed(view) {
    return view?.type === "News_view_controller" || view?.type === "Gallery_view_controller";
  }

  showTab(index) {
    this.tab = index;
    this.stack = [];
    this.search = null;
    this.host.step({ do: "tab", index });
    this.open();
  }

  push(view) {
    this.stack.push(view);
    this.search = null;
    this.host.step({ do: "open", title: view.title });
    this.open();
  }

  pop() {
    this.stack.pop();
    this.host.step({ do: "back" });
    this.changed();
  }

  open() {
    const { view } = this;
    this.host.memory.set("place", { tab: this.tab, language: this.language });
    if (this.isFeed(view) && this.feed(view).updated === -Infinity) this.loadFeed(view);
    this.changed();
  }

  // Feeds

  feed(view) {
    const key = `${view.data.main_url} ${this.language}`;
    if (!this.feeds.has(key)) this.feeds.set(key, new Feed());
    return this.feeds.get(key);
  }

  /** Asks for the newest window of a feed, or for what is older than the client has. */
  async loadFeed(view, isBackground = false, isOlder = false) {
    const feed = this.feed(view);
    if (feed.isLoading) return;
    feed.isLoading = true;
    this.changed();
    try {
      const has = feed.entries.size > 0 ? { l: feed.lowest, h: feed.highest } : {};
      const path = ownPath(feedURL(String(view.data.main_url), this.language, { ...has, ...(isOlder ? { o: feed.shown.at(-1)?.id ?? 0 } : {}) }));
      if (path === null) throw new Error(`The feed ${view.data.main_url} is on another host, which preview doesn't ask.`);
      const answer = await this.ask(path, isOlder ? "older" : "feed", isBackground);
      feed.take(answer.document, isOlder);
      Object.assign(feed, { document: answer.document, text: answer.text, findings: answer.findings, path, error: null });
    } catch (error) {
      feed.error = error.message;
      feed.updated = performance.now();
      this.host.problem(error.message);
    }
    feed.isLoading = false;
    this.changed();
  }

  /** A feed that is older than its `ttl` is asked for again while it is shown. */
  refreshOld() {
    const { view } = this;
    if (!this.isFeed(view) || document.hidden) return;
    const seconds = Number.isInteger(view.data.ttl) && view.data.ttl > 0 ? view.data.ttl : 300;
    const feed = this.feed(view);
    if (feed.updated !== -Infinity && performance.now() - feed.updated > seconds * 1000) this.loadFeed(view, true);
  }

  // Search

  async find(view, words, page = 1) {
    const earlier = page > 1 ? this.search.results : [];
    this.search = { words, page, results: earlier, isLoading: true, hasMore: false };
    this.changed();
    const { search } = this;
    try {
      const path = ownPath(filled(String(view.data.search_bar), this.language, words, page));
      if (path === null) throw new Error("The search is on another host, which preview doesn't ask.");
      const { document } = await this.ask(path, "search");
      const items = Array.isArray(document.items) ? document.items : [];
      search.results = [...earlier, ...items];
      search.hasMore = items.length > 0;
    } catch (error) {
      this.host.problem(error.message);
    }
    search.isLoading = false;
    this.changed();
  }

  changed() {
    this.onChange();
  }
}
