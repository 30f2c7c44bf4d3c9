// The events of preview. They are read with fetch, because an EventSource can't send the token.

import { EventReader } from "./events.js";

/** The wait before the next try, in milliseconds, by the number of failed ones. */
const WAITS = [250, 500, 1000, 2000, 3000];

/** Listens for ever. `on` has functions by the events' names, and `connected(isConnected)`. */
export async function listen(backend, on) {
  let failures = 0;
  for (;;) {
    try {
      const response = await fetch("/__preview/events", { headers: backend.headers, cache: "no-store" });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      failures = 0;
      on.connected(true);
      await read(response.body, on);
    } catch {
      // It is tried again below.
    }
    on.connected(false);
    await new Promise((resume) => setTimeout(resume, WAITS[Math.min(failures++, WAITS.length - 1)]));
  }
}

async function read(body, on) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    for (const { event, data } of events.read(value)) if (event) on[event]?.(JSON.parse(data));
  }
}
