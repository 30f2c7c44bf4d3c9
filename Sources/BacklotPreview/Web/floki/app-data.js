// The app's version, tabs and texts, as a device of a platform and a language knows them.

import { Requests } from "./requests.js";
import { Texts } from "./texts.js";
import { objects } from "./values.js";

/** The classes that Android has no tabs of. */
const OUTSIDE = new Set(["Web_view_controller", "Movie_view_controller"]);

export class AppData {
  constructor(host) {
    this.host = host;
    this.requests = new Requests(host);
    /** The last version indicator and app data: `{document, text, findings, path}`. */
    this.indicator = null;
    this.app = null;
    /** The time of the last request for the indicator. */
    this.looked = -Infinity;
    this.allTabs = [];
    this.texts = new Texts();
    this.error = null;
    this.isBusy = false;
    const kept = host.memory.get("place") ?? {};
    this.language = kept.language ?? navigator.language.slice(0, 2);
    this.kept = kept;
    /** The tab that is shown, by its index. */
    this.tab = 0;
    /** The views of tabs, by their `unique_id` and language; and what is above the one that is shown. */
    this.roots = new Map();
    this.stack = [];
    /** The entry that the user may share. */
    this.shared = null;
    this.onChange = () => {};
  }

  get isAndroid() {
    return this.host.phone.value("platform") === "Android";
  }

  /** Whether lists stand beside what is chosen from them, as on an iPad. */
  get isSplit() {
    return this.host.phone.isTablet && !this.isAndroid;
  }

  /** The tabs that are shown: On Android, web pages and movies have no such entry. */
  get tabs() {
    return this.isAndroid ? this.allTabs.filter((tab) => !OUTSIDE.has(tab.class_type)) : this.allTabs;
  }

  text(id) {
    return this.texts.text(id, this.language, this.isAndroid);
  }

  /** The titles of a tab: the whole one, and the one for the bar below. */
  title(tab) {
    return this.text(tab.long_title);
  }

  shortTitle(tab) {
    return this.text(tab.short_title ?? tab.long_title);
  }

  /** Asks for the version, and for the app data where it is another one. The current data stays if no new data arrives. */
  async load(isForced = false) {
    const { app: before } = this;
    this.isBusy = true;
    this.looked = performance.now();
    this.changed();
    try {
      const indicator = await this.requests.ask(this.host.facts.indicator, "version indicator");
      const { v, url } = indicator.document;
      if (!Number.isInteger(v) || v < 1 || typeof url !== "string") throw new Error("The version indicator has no \"v\" of at least 1, or no \"url\".");
      const known = this.indicator?.document.v ?? 0;
      if (isForced || v !== known) {
        const app = await this.requests.ask(url, "app data");
        if (app.text !== this.app?.text && this.app === before) {
          if (v <= known) this.host.problem(`The app data has changed, but "v" is ${v} after ${known}: a phone keeps what it has until a higher one comes.`);
          this.take(app);
        }
      }
      this.indicator = indicator;
      this.error = null;
    } catch (error) {
      if (!this.app) this.error = error.message;
      this.host.problem(error.message);
    }
    this.isBusy = false;
    this.changed();
  }

  take(app) {
    if (!Array.isArray(app.document.tabs) || !Array.isArray(app.document.langs)) throw new Error("The app data has no \"tabs\" or no \"langs\".");
    const allTabs = objects(app.document.tabs).map(([tab, index]) => ({ ...tab, pointer: `/tabs/${index}` }));
    const ids = allTabs.map((tab) => tab.unique_id);
    if (new Set(ids).size < ids.length) throw new Error("Two tabs have one \"unique_id\": clients drop every tab.");
    const texts = new Texts(app.document.langs);
    if (!texts.codes.includes(this.language)) this.language = texts.codes[0] ?? this.language;
    for (const { message, severity } of app.findings) if (severity === "error") this.host.problem(`The app data: ${message}`);
    Object.assign(this, { app, allTabs, texts });
    this.tab = Math.min(this.tab, Math.max(0, this.tabs.length - 1));
    this.roots.clear();
  }
}
