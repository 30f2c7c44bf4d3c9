// A Floki client's state and behaviour: the app data, a language, the tabs, and the views above them.

import { entriesOf } from "./feed.js";
import { Feeds } from "./feeds.js";
import { caught } from "./links.js";
import { filled, ownPath, resolved } from "./urls.js";
import { object, words } from "./values.js";
import { isList, makeView, plain } from "./views.js";

export class Client extends Feeds {
  constructor(host) {
    super(host);
    setInterval(() => document.hidden || this.lookAgain(), 2000);
    this.wasAndroid = this.isAndroid;
    new MutationObserver(() => this.choosePlatform()).observe(host.phone.frame, { attributeFilter: ["data-platform"] });
  }

  // Starting

  async launch() {
    this.host.clearSteps();
    this.host.step({ do: "launch", language: this.language, platform: this.isAndroid ? "android" : "iOS" });
    await this.load();
    if (!this.app) return;
    const index = this.tabs.findIndex((tab) => tab.unique_id === this.kept.tab);
    this.tab = Math.max(0, index);
    this.stack = (Array.isArray(this.kept.stack) ? this.kept.stack : []).map(makeView);
    if (this.tabs.length > 0) this.host.step({ do: "show", title: this.title(this.tabs[this.tab]) });
    for (const { entry, link } of this.stack) this.host.step(link ? { do: "follow", link } : { do: "open", id: entry?.id });
    await this.arrive();
  }

  async restart() {
    this.roots.clear();
    this.kept = {};
    await this.launch();
  }

  /** Shows a document that somebody writes: the app data, or the feed of the list on the screen. */
  draft(document, text) {
    const { feed } = this.list ?? {};
    const isApp = Array.isArray(document?.tabs);
    if (!isApp && !feed) throw new Error('This is no app data with "tabs", and no list is on the phone that it could be the feed of.');
    const path = isApp ? this.app?.path : feed.path;
    const response = { document, text, findings: [], path };
    this.isDraft = true;
    if (isApp) this.take(response);
    else feed.refresh(response, false);
    if (isApp) this.arrive();
    else this.changed();
    const take = (findings) => {
      const drafted = isApp ? this.app : feed;
      if (drafted.document !== document) return;
      drafted.findings = findings;
      this.host.shown({ findings });
    };
    return { path, take };
  }

  endDraft() {
    this.isDraft = false;
    return this.again();
  }

  /** Shows what the server has now. */
  async again() {
    if (this.isDraft) return;
    await this.load(true);
    if (!this.app || this.isDraft) return;
    // A hidden feed is requested when it is shown.
    for (const { feed } of [...this.roots.values(), ...this.stack]) if (feed) Object.assign(feed, { fetched: -Infinity, isOutdated: true });
    const { list, view } = this;
    if (list?.feed) await this.refresh(true);
    if (view && !view.feed) this.reload();
  }

  // Views

  setLanguage(code) {
    this.language = code;
    this.stack = [];
    this.host.step({ do: "language", code, title: this.tabs[this.tab] ? this.title(this.tabs[this.tab]) : "" });
    return this.arrive();
  }

  showTab(index) {
    this.tab = index;
    this.stack = [];
    if (this.root) this.root.search = null;
    this.host.step({ do: "show", title: this.title(this.tabs[index]) });
    return this.arrive();
  }

  /** The other platform may lack the tab that is shown. */
  choosePlatform() {
    if (this.wasAndroid === this.isAndroid || !this.app) return;
    this.wasAndroid = this.isAndroid;
    const index = this.tabs.findIndex((tab) => tab.unique_id === this.shownTab);
    this.tab = Math.max(0, index);
    this.stack = [];
    this.host.clearSteps();
    this.host.step({ do: "launch", language: this.language, platform: this.isAndroid ? "android" : "iOS" });
    if (this.root) this.host.step({ do: "show", title: this.title(this.tabs[this.tab]) });
    return this.arrive();
  }

  push(view) {
    this.stack.push(view);
    return this.arrive();
  }

  /** Goes back from a view, and from what is above it. */
  back(view) {
    this.drop(this.stack.indexOf(view));
    return this.arrive();
  }

  /** Takes the views from an index on off the stack. */
  drop(index) {
    while (this.stack.length > index) this.host.step({ do: this.stack.pop().tag ? "backFromResults" : "back" });
  }

  /** Shows the view on top, which asks for what it lacks. */
  async arrive() {
    this.shared = null;
    this.shownTab = this.tabs[this.tab]?.unique_id;
    this.host.memory.set("place", this.place);
    const { view } = this;
    this.changed();
    if (view?.tag && view.search.page === 0) await this.findMore(view);
    else if (view?.feed && (view.feed.error || this.isDue(view))) await this.refresh();
    else if (view !== this.list && this.list?.feed && this.isDue(this.list)) await this.refresh();
  }

  /** Opens an entry of a list: its own page or picture, or the view that it names. Without a URL a tap does nothing. */
  open(entry, view, siblings = []) {
    if (typeof entry.url !== "string") return;
    // Beside the list, it takes the place of what was chosen before.
    if (this.isSplit) this.drop(this.stack.indexOf(view) + 1);
    this.host.step({ do: "open", id: entry.id });
    const next = this.viewOf(entry, view, siblings);
    if (this.isAndroid && isIgnored(next)) return void this.host.problem(`Android 1.1 ignores this tap: it opens no ${next.type}${next.type.startsWith("Movie_") ? " without \"preview_url\"" : ""} from a list.`);
    return this.push(next);
  }

  viewOf(entry, view, siblings) {
    const type = words(entry.class_type) || (view.type === "Gallery_view_controller" ? "Photo_view_controller" : "Item_view_controller");
    const url = resolved(entry.url, view.base);
    return makeView({ type, url: isList(type) ? url + this.language : url, base: url, data: entry.data, title: entry.title, entry, siblings });
  }

  /** Shows the entry before or after the one that is shown. */
  step(by) {
    const { view } = this;
    const entry = this.sibling(by);
    if (!entry) return;
    this.stack.pop();
    this.host.step({ do: "back" });
    this.host.step({ do: "open", id: entry.id });
    this.stack.push(makeView({ ...plain(view), url: resolved(entry.url, this.view.base), title: entry.title, entry }));
    return this.arrive();
  }

  sibling(by) {
    const { siblings, entry } = this.view;
    const index = siblings.findIndex(({ id }) => id === entry?.id);
    return index < 0 ? undefined : siblings[index + by];
  }

  /** A link on a web page is tapped: a tab catches it, or it is shown as a page. */
  async follow(link) {
    if (!/^https?:/i.test(link)) return void this.host.open(link);
    // Android leaves every link to the system's browser.
    const found = this.isAndroid ? null : caught(link, this.tabs);
    if (this.isAndroid) this.host.problem("Android 1.1 opens links in the system's browser, as this page.");
    // In a test of what was done the server has another address.
    const path = ownPath(link);
    const step = path !== null && found && caught(path, this.tabs)?.words === found.words ? path : link;
    this.host.step({ do: "follow", link: step });
    if (!found) return this.push(makeView({ type: "Web_view_controller", url: link, base: link, data: {}, title: "", link: step }));
    const { kind, url, tab } = found;
    const data = object(tab.data);
    const base = words(data.main_url);
    if (kind === "tags") return this.push(makeView({ type: "News_view_controller", url, base, data, title: found.words, tag: { url, words: found.words }, link: step }));
    const address = filled(url, this.language, found.words);
    if (kind === "gallery") return this.push(makeView({ type: "Gallery_view_controller", url: address, base, data, title: this.title(tab), link: step }));
    try {
      const [video] = entriesOf((await this.requests.ask(address, "video")).document);
      if (typeof video?.url !== "string") throw new Error(`No video answers at ${address}.`);
      await this.push({ ...this.viewOf(video, { type: "News_view_controller", base }, []), link: step });
    } catch (error) {
      this.host.problem(error.message);
    }
  }

  /** Draws a page anew. */
  reload() {
    if (this.view) this.view.edition = (this.view.edition ?? 0) + 1;
    this.changed();
  }

  // Sharing

  share(entry) {
    this.shared = entry;
    this.changed();
  }

  changed() {
    this.onChange();
  }
}

/** Whether Android does nothing for a tap that would show a view. */
function isIgnored({ type, data }) {
  return isList(type) || type === "Web_view_controller" || (type === "Movie_view_controller" && words(data.preview_url) === "");
}
