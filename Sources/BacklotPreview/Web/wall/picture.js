// A picture of a page: only the screen, in its real size, without anything that moves. `#picture=LOOK` in the address asks for it;
// `data-picture` of the document's root says when it can be taken: "ready", or what went wrong.

import { LOOKS } from "./looks.js";
import { writePseudo } from "./pseudo.js";

/** The time without a change before the picture, and the longest wait for it, in milliseconds. */
const [REST, PATIENCE] = [120, 15_000];

/** The look that the address asks for; undefined for none. */
export function askedLook() {
  const id = new URLSearchParams(location.hash.slice(1)).get("picture");
  return id === null ? undefined : LOOKS.find((look) => look.id === id) ?? null;
}

/** The storage for a picture: it keeps nothing and shows nothing of what was kept. */
export class NoMemory {
  constructor(values = {}) {
    this.values = { ...values };
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
  }
}

/** Draws the screen alone. */
export function pose(host) {
  document.documentElement.classList.add("picturing");
  document.body.append(host.phone.element);
}

/** Says when the picture can be taken. */
export async function hold(host, look) {
  await rest(host);
  if (look.isPseudo) {
    writePseudo(host.screen);
    host.app?.arrange?.(host.screen);
  }
  document.activeElement?.blur();
  await document.fonts.ready;
  await frames();
  document.documentElement.dataset.picture = "ready";
}

/** Waits until the phone is calm, and stays so. */
async function rest(host) {
  const end = performance.now() + PATIENCE;
  let changed = performance.now();
  const observer = new MutationObserver(() => (changed = performance.now()));
  observer.observe(host.screen, { childList: true, subtree: true, characterData: true, attributes: true });
  const isCalm = () => host.exchanges.running === 0 && !host.screen.querySelector(".page[aria-busy=true]")
    && [...host.screen.querySelectorAll("img")].every((image) => image.complete);
  while (performance.now() < end && !(isCalm() && performance.now() - changed > REST)) await frames();
  observer.disconnect();
}

function frames() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
