// The editor beside the phone: a mock file, or the JSON of any page. It is drawn while it is written.

import { copySwift } from "../core/copy-swift.js";
import { el, fill } from "../core/element.js";
import { Assist } from "./assist.js";
import { Draft, LARGE } from "./draft.js";
import { Keeping } from "./keeping.js";
import { MockFiles } from "./mock-files.js";
import { indented } from "./places.js";
import { linkTo } from "./share.js";
import { isTooLarge, makeSurface } from "./surface.js";
import { Words } from "./words.js";

/** About how many characters are drawn in a millisecond, so that the first key doesn't wait for a large page. */
const KEYS = 5000;

export class Editor extends Keeping {
  constructor(host, isShown) {
    super();
    this.isShown = isShown;
    this.host = host;
    this.swift.hidden = host.wire !== "applin";
    this.files = new MockFiles(host.backend);
    this.draft = new Draft(host, this.files);
    /** The file or page of the text: `{name, tag, original}`; the name and tag of a page that is in no file are null. */
    this.source = null;
    this.surface = null;
    /** The address of the page that was on the phone when the editor last followed it. */
    this.shown = null;
    this.assist = new Assist(this.draft);
    /** The time of the last drawing, in milliseconds. */
    this.cost = 0;
    host.addEventListener("changed", () => this.attempt(() => this.compare()));
    host.addEventListener("shown", () => this.follow());
    addEventListener("beforeunload", (event) => {
      // A text that can't be kept is lost only after a question.
      if (!this.keep()) event.preventDefault();
    });
  }

  // Opening

  /** Opens what was written before the window was loaded again, or else what is on the phone. */
  async start() {
    const kept = this.host.memory.get("editor");
    if (kept) {
      await this.show(kept, kept.text);
      await this.compare();
    } else {
      await this.openShown();
    }
    await this.listFiles();
    this.offer();
    this.follow();
  }

  /** Opens the text of a link. What was being written is put aside. */
  async take(text) {
    const { memory } = this.host;
    this.keep();
    const kept = memory.get("editor");
    if (kept) memory.set("editor-before", kept);
    await this.show({ name: null, tag: null, original: "" }, indented(text));
    this.offer();
  }

  /** Offers what was put aside. */
  offer() {
    const { memory } = this.host;
    const before = memory.get("editor-before");
    if (!before) return;
    this.ask("A text of yours was put aside when a link was opened.", ["Take it back", async () => {
      memory.set("editor-before", undefined);
      await this.show(before, before.text);
    }]);
  }

  /** Opens the mock file of the page on the phone, or else its JSON. */
  openShown() {
    this.shown = this.address;
    return this.openFound(async () => {
      const name = this.host.app?.file ?? (await this.files.names(this.address))?.[0];
      return name ? this.files.read(name) : this.response();
    });
  }

  /** The address of the page on the phone. */
  get address() {
    const { path, rejected, isOwn } = this.host.view;
    const shown = isOwn && rejected ? rejected.path : path;
    return shown.startsWith(this.host.basePath) ? shown : this.host.basePath.replace(/\/$/, "") + (shown.startsWith("/") ? shown : `/${shown}`);
  }

  open(name) {
    return this.openFound(() => this.files.read(name));
  }

  /** The JSON of the page on the phone. */
  async response() {
    // The phone may show the draft.
    await this.endDraft();
    const { text, rejected, isOwn } = this.host.view;
    return { name: null, tag: null, text: indented((isOwn && rejected ? rejected.text : text) || "{}") };
  }

  /** Opens what is found, unless something else is chosen meanwhile. A text that is written meanwhile is lost only after a question. */
  async openFound(find) {
    const opening = (this.opening = {});
    const before = this.surface?.text;
    const { name, tag, text } = await find();
    if (opening !== this.opening) return;
    const go = () => this.show({ name, tag, original: text }, text);
    if (this.isModified && this.surface.text !== before) this.ask("Your changes aren't saved.", ["Open all the same", go]);
    else await go();
  }

  async choose(value) {
    this.choice.value = "";
    if (value === "") return;
    const go = () => (value === "page" ? this.openFound(() => this.response()) : value === "file" ? this.openShown() : this.open(value.slice(1)));
    if (this.isModified) this.ask("Your changes aren't saved.", ["Open all the same", go]);
    else await go();
  }

  async listFiles() {
    const names = await this.files.names();
    this.token.hidden = names !== null;
    fill(this.choice, el("option", { value: "", text: "Open…" }), this.host.app?.draft ? [el("option", { value: "file", text: "The page on the phone" }),
      el("option", { value: "page", text: "The response with that page" })] : [], (names ?? []).map((name) => el("option", { value: `/${name}`, text: name })));
  }

  async enter() {
    this.host.backend.adminToken = this.token.value;
    await this.listFiles();
    if (!this.token.hidden) throw new Error("The server takes no such token.");
    this.say("The server takes the token.");
    if (!this.isModified) await this.openShown();
  }

  /** Puts a text into the editor, unless another one is put there meanwhile. */
  async show({ name, tag, original }, text) {
    const showing = (this.showing = {});
    this.endDraft();
    const surface = await makeSurface(text, /\.ya?ml$/i.test(name ?? ""), {
      change: () => this.changed(), move: () => this.explain(), save: () => this.attempt(() => this.save()),
      hints: (isAsked) => this.assist.hints(this.surface.text, this.surface.offset, isAsked), meaning: (offset) => this.assist.meaning(this.surface.text, offset),
    });
    if (showing !== this.showing) return;
    Object.assign(this, { surface, source: { name, tag, original } });
    this.name.value = name ?? "";
    fill(this.place, surface.element);
    this.surface.layout();
    this.cost = text.length / KEYS;
    this.ask(null);
    fill(this.list);
    this.meaning.textContent = "";
    this.say(name ? `${name} is open.` : "The page's JSON is open.");
    const schema = (name ? await this.files.schema(name) : null) ?? (await this.host.backend.schema().catch(() => null));
    if (showing !== this.showing) return;
    Object.assign(this.assist, { name, words: Words.of(schema) });
    if (this.isModified) this.redraw();
    else this.judge();
  }

  /** Another page is on the phone: an editor without changes goes there too. */
  follow() {
    const { address } = this;
    if (this.host.view.isOwn && !this.host.view.rejected) return;
    // `start` calls this again when the editor has its first text.
    if (!this.source) return;
    if (this.shown !== address && !this.isModified && this.isShown()) this.attempt(() => this.openShown());
    this.shown = address;
  }

  // Writing

  changed() {
    const { text } = this.surface;
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), 300);
    if (isTooLarge(this.surface, text)) return void this.attempt(() => this.show(this.source, text));
    if (text.length > LARGE) return this.say("The text is large: it is drawn when you press Draw.");
    // Quick drawings happen at once; slow ones wait for a pause in typing.
    if (this.cost < 40) this.redraw();
    else this.drawing ??= setTimeout(() => this.redraw(), Math.min(1500, 3 * this.cost));
  }

  redraw(isAsked = false) {
    const { text } = this.surface;
    clearTimeout(this.judging);
    clearTimeout(this.drawing);
    this.drawing = null;
    if (text.length > LARGE && !isAsked) return this.say("The text is large: it is drawn when you press Draw.");
    if (!this.draft.needsServer(this.source.name, text)) {
      const start = performance.now();
      const problem = this.draft.draw(text);
      this.isDrafting = true;
      this.cost = performance.now() - start;
      performance.measure("draft", { start });
      if (problem) this.underline([problem]);
      else this.say(this.isModified ? "Drawn; not saved." : "");
    }
    this.judging = setTimeout(() => this.judge(), Math.max(250, 3 * this.cost));
  }

  async judge() {
    const { surface, surface: { text } } = this;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    clearTimeout(this.judging);
    const quiet = !this.isModified && !this.isDrafting;
    const found = await this.draft.judge(this.source.name, text, quiet).catch(() => null);
    if (surface !== this.surface || text !== surface.text || turn !== this.turn) return;
    if (found) this.underline(found);
    else this.say("The server can't be asked what is wrong. Nothing is lost: the text stays here.", true);
    if (!quiet && this.draft.drawn) this.isDrafting = true;
  }

  async share() {
    const link = await linkTo(this.surface.text);
    await this.host.copy(link);
    this.say(`The link is copied. It holds the page itself, in ${link.length} characters${link.length > 32_000 ? ": not every program takes so many" : ""}.`);
  }

  async copySwift() {
    // A judgement that ends later would replace what is said here.
    await this.judge();
    const { text } = this.surface;
    const { name } = this.source;
    const judged = this.draft.needsServer(name, text) ? await this.files.judge(name, text) : null;
    if (judged?.problems.length > 0) throw new Error(judged.problems[0].message);
    this.say(await copySwift(this.host, judged ? JSON.stringify(judged.document) : text));
  }

  /** Says what the word at the cursor means. */
  explain() {
    clearTimeout(this.explaining);
    this.explaining = setTimeout(() => (this.meaning.textContent = this.assist.meaning(this.surface.text, this.surface.offset).slice(0, 300)), 150);
  }
}
