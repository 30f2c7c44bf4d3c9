// Server-sent events (HTML, section 9.2). They are read with fetch, because an EventSource can't send the token.

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
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer += value;
    for (let end = buffer.indexOf("\n\n"); end >= 0; end = buffer.indexOf("\n\n")) {
      const fields = buffer.slice(0, end).split("\n");
      buffer = buffer.slice(end + 2);
      const name = fields.find((field) => field.startsWith("event: "))?.slice(7);
      const data = fields.find((field) => field.startsWith("data: "))?.slice(6);
      if (name && data) on[name]?.(JSON.parse(data));
    }
  }
}
