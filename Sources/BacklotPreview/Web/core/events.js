// Server-sent events (HTML, section 9.2).

/** The most characters of an event. */
const MOST = 20_000_000;

/** The waits before a stream is asked for again, in milliseconds, by the number of failures. */
const WAITS = [1000, 2000, 4000, 8000, 15_000];

/** Reads events that come in pieces. */
export class EventReader {
  constructor() {
    this.rest = "";
  }

  /** The events with data that a further piece of the stream ends: `{event, id, data}`. */
  read(text) {
    this.rest = (this.rest + text).replaceAll("\r\n", "\n");
    if (this.rest.length > MOST) throw new Error("An event is too long.");
    const events = this.rest.split("\n\n");
    this.rest = events.pop();
    return events.map((event) => {
      const found = {};
      for (const line of event.split("\n")) {
        const [, name, value] = /^(event|id|data)(?:: ?(.*))?$/.exec(line) ?? [];
        if (name) found[name] = name === "data" && found.data !== undefined ? `${found.data}\n${value ?? ""}` : value ?? "";
      }
      return found;
    }).filter(({ data }) => data !== undefined);
  }
}

/**
 * Asks for a stream of events, and again when it has ended, until the signal ends it or the response is no stream.
 *
 * `send({headers, take, signal})` makes a request; see `Exchanges.send`. `take(events)` gets the events as they come.
 */
export async function follow(send, signal, take) {
  let lastId = null;
  for (let failures = 0; !signal.aborted; failures++) {
    const response = await send({
      headers: lastId === null ? {} : { "Last-Event-ID": lastId }, signal, take: (events) => {
        lastId = events.findLast(({ id }) => id)?.id ?? lastId;
        failures = 0;
        take(events);
      },
    });
    if (!response.failure && response.type !== "text/event-stream") return;
    await new Promise((resume) => setTimeout(resume, WAITS[Math.min(failures, WAITS.length - 1)]));
  }
}
