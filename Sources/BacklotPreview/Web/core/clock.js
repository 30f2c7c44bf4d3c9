// The time that an app takes for now: the browser's, or that of mocks whose clock was set. Waits and timeouts don't go by it.

/** What the mocks' clock showed when it was read: `{now, speed, at}`; null while it is the system's. */
let known = null;
let timer = null;

/** Milliseconds since 1970. */
export function now() {
  return known ? known.now + (performance.now() - known.at) * known.speed : Date.now();
}

/** Reads the clock of the mocks as this client has it, and shows it above the app. Returns what the server says; null where no mocks say it. */
export async function readClock(host) {
  if (!host.facts.mocks) return null;
  try {
    const clock = await host.backend.state("clock?client=own", undefined, host.app?.fields?.());
    known = clock.isSystem ? null : { now: Date.parse(clock.now), speed: clock.speed, at: performance.now() };
    if (known || timer) show();
    if (known) timer ??= setInterval(show, 1000);
    return clock;
  } catch {
    return null;
  }
}

function show() {
  const text = known ? new Date(now()).toLocaleTimeString([], { hour: "numeric", minute: "2-digit", hour12: false }) : "9:41";
  for (const element of document.querySelectorAll(".status-bar .clock")) if (element.textContent !== text) element.textContent = text;
}
