// Requests as a client of the protocol makes them, each noted in the log.

import { EventReader } from "./events.js";
import { repeated } from "./fate.js";

/** The longest wait for a response, in milliseconds. */
const PATIENCE = 60_000;
/** The most requests that are remembered. */
const MOST = 500;
/** The most characters of a stream that the log shows, about. */
const MOST_TEXT = 100_000;

let lastNumber = 0;

export class Exchanges extends EventTarget {
  constructor() {
    super();
    this.records = [];
    /** Faults for the next requests: `{text, left}`. */
    this.fault = null;
    /** The network that all requests ask for; null for as fast as they can. */
    this.network = null;
    this.running = 0;
  }

  /**
   * Asks the server.
   *
   * `request` has `method`, `url`, and perhaps `headers`, `body`, `note` (what the log says of it), `variables` (what the log
   * shows as sent), `isBackground`, `signal`, which ends it, and `take(events)`, which gets the events of a stream as they come. A stream has no limit of time, and isn't waited for.
   *
   * The response has `status`, `type`, `bytes`, `text` (null unless the bytes are UTF-8) and `headers`; without a response there is
   * `failure`, a text.
   */
  async send(request) {
    const record = {
      number: ++lastNumber, time: new Date(), method: request.method, url: request.url, headers: { ...request.headers },
      body: typeof request.body === "string" ? request.body : null,
      hasFile: Boolean(request.body) && typeof request.body !== "string", note: request.note ?? "", variables: request.variables ?? null,
      isBackground: request.isBackground ?? false, isOwn: true, response: null, milliseconds: null, server: null, attempts: [],
    };
    const headers = { ...request.headers };
    if (this.fault && !record.isBackground) {
      record.fault = this.fault.text;
      headers["Backlot-Fault"] = this.fault.text;
      if (--this.fault.left <= 0) this.fault = null;
      this.dispatchEvent(new Event("fault"));
    }
    if (this.network) headers["Backlot-Network"] = record.network = this.network;
    this.add(record);
    this.running += record.isBackground ? 0 : 1;
    this.dispatchEvent(new Event("running"));
    const start = performance.now();
    const clock = new AbortController();
    const alarm = setTimeout(() => clock.abort(), PATIENCE);
    let isWaiting = true;
    const arrived = () => {
      if (isWaiting) this.running -= record.isBackground ? 0 : 1;
      isWaiting = false;
      clearTimeout(alarm);
      this.dispatchEvent(new Event("running"));
    };
    try {
      const response = await fetch(request.url, {
        method: request.method, headers, body: request.body, cache: "no-store", credentials: "same-origin",
        referrerPolicy: "no-referrer", signal: request.signal ? AbortSignal.any([clock.signal, request.signal]) : clock.signal,
      });
      const type = (response.headers.get("Content-Type") ?? "").split(";")[0].trim().toLowerCase();
      const head = { status: response.status, type, headers: Object.fromEntries(response.headers), url: response.url, redirected: response.redirected };
      if (request.take && response.ok && type === "text/event-stream") {
        record.response = { ...head, bytes: null, text: "" };
        record.milliseconds = performance.now() - start;
        arrived();
        this.dispatchEvent(new CustomEvent("change", { detail: record }));
        await readStream(response.body, record.response, request.take);
        return record.response;
      }
      const bytes = new Uint8Array(await response.arrayBuffer());
      record.response = { ...head, bytes: bytes.length, text: decoded(bytes) };
    } catch {
      // What has come of a stream counts.
      if (!isWaiting) return record.response;
      const why = clock.signal.aborted ? `no answer came within ${PATIENCE / 1000} seconds` : "the server can't be reached, or its answer ended early";
      record.response = { failure: why };
    }
    record.milliseconds = performance.now() - start;
    arrived();
    this.dispatchEvent(new CustomEvent("change", { detail: record }));
    return record.response;
  }

  /** Notes an exchange. */
  add(record) {
    record.again = record.isBackground ? null : repeated(this.records, record);
    this.records.push(record);
    if (this.records.length > MOST) this.records.shift();
    this.dispatchEvent(new CustomEvent("add", { detail: record }));
  }

  /** A request that the browser has sent once more by itself, because its connection broke. */
  sentAgain(event) {
    return this.records.findLast((record) => record.isOwn && (!record.response || record.response.failure) && (record.server?.lost || record.server?.fault)
      && record.method === event.method && pathOf(record.url) === event.path);
  }

  /** Takes the server's report on a response that went through a network, after its end. */
  hearEnd(event) {
    const record = this.records.findLast(({ server }) => server?.number === event.number);
    if (!record) return;
    record.server.transfer = event;
    if (!record.isOwn) record.milliseconds += event.microseconds / 1000;
    this.dispatchEvent(new CustomEvent("change", { detail: record }));
  }

  /** Takes what the server says of an exchange: it belongs to a request of this window, or was another client's. */
  hear(event) {
    if (event.browser) {
      const own = this.records.findLast((record) => record.isOwn && !record.server && record.method === event.method
        && pathOf(record.url) === event.path) ?? this.sentAgain(event);
      if (!own) return;
      own.server = event;
      own.attempts.push(event);
      this.dispatchEvent(new CustomEvent("change", { detail: own }));
      return;
    }
    this.add({
      number: ++lastNumber, time: new Date(), method: event.method, url: event.path, headers: event.agent ? { "User-Agent": event.agent } : {},
      body: event.body ?? null, hasFile: false,
      note: event.agent ?? "another client", variables: null, isBackground: false, isOwn: false, server: event, attempts: [event], network: event.network,
      milliseconds: event.microseconds / 1000,
      response: event.lost ? { failure: "the connection closed without an answer" } : { status: event.status, type: event.type ?? "", bytes: null, text: event.response ?? null, headers: {} },
    });
  }
}

function pathOf(url) {
  const parsed = new URL(url, location.origin);
  return parsed.pathname + parsed.search;
}

/** Reads a stream of events to its end. The log shows the beginning of it. */
async function readStream(body, response, take) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    if (response.text.length < MOST_TEXT) response.text += value;
    const found = events.read(value);
    if (found.length > 0) take(found);
  }
}

/** The text of some bytes; null where they are not UTF-8. */
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
