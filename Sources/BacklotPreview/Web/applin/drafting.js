// Pages that somebody writes in the editor, in the place of the server's.

import { Asking } from "./asking.js";
import { Page } from "./page.js";
import { staticPage } from "./static-pages.js";

export class Drafting extends Asking {
  /** Shows a page that somebody writes in the place of the visible one. The server's is left alone until the draft ends. */
  draft(document, text) {
    const page = new Page(document, text, this.chosen ?? (this.dialect ? this.version : null));
    if (!["nav_page", "plain_page"].includes(page.typ)) throw new Error('A page is an object whose "typ" is nav_page or plain_page.');
    const drafted = this.stack.findIndex((entry) => entry.isDraft);
    if (drafted >= 0) this.stack.length = drafted + 1;
    // Errors stand above the page that is meant.
    while (this.stack.length > 1 && staticPage(this.top.path)) this.stack.pop();
    const entry = this.top;
    Object.assign(entry, this.shownOf(page, entry), { page, findings: [], isDraft: true });
    this.changed();
    const take = (findings) => {
      if (entry.page !== page) return;
      entry.findings = findings;
      if (entry === this.top) this.host.shown({ findings });
    };
    return { path: entry.path, take };
  }

  /** Shows the server's page again. */
  async endDraft() {
    const entry = this.stack.find(({ isDraft }) => isDraft);
    if (!entry) return;
    entry.isDraft = false;
    if (entry === this.top) await this.run([{ typ: "poll" }]);
    else await this.poll(entry.path).catch(() => {});
  }
}
