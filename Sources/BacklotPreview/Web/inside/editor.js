// The tab of the editor, which is loaded when it is shown for the first time.

import { el } from "../core/element.js";

export class EditorPanel {
  constructor(host) {
    this.title = "Editor";
    this.host = host;
    this.element = el("div", { class: "panel" });
    this.editor = null;
  }

  draw() {
    if (this.editor) this.editor.surface?.layout();
    else this.open();
  }

  /** Opens it, with what was written last, or with what is on the phone. */
  open() {
    this.loading ??= this.load();
    return this.loading;
  }

  /** Opens the text of a link. */
  async take(text) {
    await this.open();
    await this.editor.attempt(() => this.editor.take(text));
  }

  /** Opens a mock file. If there are changes, the editor asks first. */
  async openFile(name) {
    await this.open();
    await this.editor.attempt(() => this.editor.choose(`/${name}`));
  }

  async load() {
    const sheet = el("link", { rel: "stylesheet", href: "/__preview/web/editor/editor.css" });
    const isThere = new Promise((resolve) => ["load", "error"].forEach((event) => sheet.addEventListener(event, resolve)));
    document.head.append(sheet);
    const [{ Editor }] = await Promise.all([import("../editor/editor.js"), isThere]);
    this.editor = new Editor(this.host, () => this.isShown);
    this.element.append(this.editor.element);
    await this.editor.attempt(() => this.editor.start());
  }
}
