// Keeps the text through reloads, and saves it unless somebody else has changed the file.

import { Frame } from "./frame.js";

/** The most characters that survive a reload: browsers keep about 5 MB. */
const KEPT = 2_000_000;

export class Keeping extends Frame {
  get isModified() {
    return this.surface !== null && this.surface.text !== this.source.original;
  }

  /** Remembers the text for the time after a reload. Returns false where it is too large for that. */
  keep() {
    const text = this.isModified ? this.surface.text : null;
    if (text !== null && text.length > KEPT) return false;
    this.host.memory.set("editor", text === null ? undefined : { ...this.source, text });
    return true;
  }

  async save() {
    const name = this.name.value.trim();
    const { text } = this.surface;
    const tag = name === this.source.name ? this.source.tag : null;
    try {
      const saved = await this.files.write(name, text, tag);
      this.source = { name, tag: saved, original: text };
    } catch (error) {
      if (error.status !== 412) throw error;
      return this.conflict(name, tag);
    }
    this.ask(null);
    this.keep();
    // The phone shows the draft until the server has read the file.
    this.isSaved = true;
    this.say(`${name} is saved.`);
    await this.listFiles();
    return undefined;
  }

  /** Says that a file isn't what it was. */
  conflict(name, tag) {
    const over = async () => {
      const now = await this.files.read(name).catch(() => null);
      this.source = { ...this.source, name, tag: now?.tag ?? null };
      await this.save();
    };
    this.say("It is not saved.", true);
    this.ask(tag === null ? `${name} is there already.` : `${name} has been changed, or removed, since you opened it.`,
      ["Write mine over it", over], ["Take what is there, and lose mine", () => this.open(name)]);
  }

  /** Looks whether somebody else has changed the file. */
  async compare() {
    if (!this.source) return;
    if (this.isSaved) {
      this.isSaved = false;
      if (!this.isModified) this.endDraft();
    }
    const { name, tag } = this.source;
    if (name === null) return;
    const now = await this.files.read(name).catch(() => null);
    if (name !== this.source.name || tag !== this.source.tag || now?.tag === tag) return;
    if (now && !this.isModified) {
      await this.show({ name, tag: now.tag, original: now.text }, now.text);
      this.say(`${name} has been changed, and is shown anew.`);
    } else {
      this.conflict(name, tag);
    }
  }

  async discard() {
    const { name, original } = this.source;
    this.host.memory.set("editor", undefined);
    if (name === null) await this.show(this.source, original);
    else await this.open(name);
  }

  /** Lets the phone show what the server has. */
  async endDraft() {
    const { isDrafting } = this;
    this.isDrafting = false;
    this.draft.drawn = null;
    if (isDrafting) await this.host.app?.endDraft?.();
  }
}
