// The border between the phone and the view inside, moved by the mouse or by arrow keys.

import { el } from "../core/element.js";

/** The least widths of both sides, in pixels; how far a key moves it; and the share that a phone takes at most unasked. */
const [LEAST, LEAST_INSIDE, STEP, MOST] = [320, 340, 32, 0.64];

/** Sets `--phone-side` of what is around both. A width is remembered for each device and way to hold it. */
export function divider(phone, memory) {
  const bar = el("div", {
    class: "divider", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the phone's side",
    title: "Draw it, or use the arrow keys; a double click puts it back",
  });
  const key = () => `side ${phone.value("size")} ${phone.isOnItsSide}`;
  const usual = () => Math.max(480, Math.min(phone.widthFor(phone.stage.clientHeight || innerHeight - 150), innerWidth * MOST));
  const width = () => Math.round(Math.max(LEAST, Math.min(memory.get(key()) ?? usual(), innerWidth - LEAST_INSIDE)));
  const apply = () => {
    bar.parentElement?.style.setProperty("--phone-side", `${width()}px`);
    for (const [name, value] of Object.entries({ now: width(), min: LEAST, max: Math.max(LEAST, innerWidth - LEAST_INSIDE) })) bar.setAttribute(`aria-value${name}`, String(value));
  };
  const set = (value) => {
    memory.set(key(), value);
    apply();
  };
  const isMirrored = () => getComputedStyle(bar).direction === "rtl";
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
    bar.focus();
  });
  bar.addEventListener("pointermove", (event) => bar.hasPointerCapture(event.pointerId) && set(isMirrored() ? innerWidth - event.clientX : event.clientX));
  bar.addEventListener("dblclick", () => set(undefined));
  bar.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -STEP, ArrowRight: STEP, Home: -innerWidth, End: innerWidth };
    if (!(event.key in steps)) return;
    event.preventDefault();
    set(Math.max(LEAST, Math.min(width() + steps[event.key] * (isMirrored() ? -1 : 1), innerWidth - LEAST_INSIDE)));
  });
  phone.addEventListener("look", apply);
  addEventListener("resize", apply);
  return { element: bar, apply };
}
