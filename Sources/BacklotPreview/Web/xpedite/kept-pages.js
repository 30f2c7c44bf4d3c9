// The pages that a client has kept, for when the server can't be reached.

import { now } from "../core/clock.js";

export class KeptPages {
  constructor() {
    this.pages = new Map();
    /** Which page a call has led to. */
    this.ids = new Map();
  }

  /** Keeps a page that asks for it by its `disposition`. */
  keep(packet, call) {
    const { id, disposition } = packet;
    if (typeof id !== "string" || disposition === undefined) return;
    const seconds = disposition?.type === "expiry" && Number.isFinite(disposition.seconds) ? disposition.seconds : null;
    if (disposition !== "permanent" && seconds === null) return;
    this.pages.set(id, { packet, end: seconds === null ? Infinity : now() + seconds * 1000 });
    this.ids.set(key(call), id);
  }

  /** The page that a call has led to before; null where there is none. */
  page(call) {
    const page = this.pages.get(this.ids.get(key(call)));
    return page && now() < page.end ? page.packet : null;
  }
}

/** The same call in another session leads to the same page. */
function key({ token, ...call }) {
  return JSON.stringify(call);
}
