// The edge where lines begin. A finger that draws the page away from there goes back, as on iOS; a tap is one on what is below.

import { el } from "../core/element.js";

/** The distance of a swipe that goes back, and the movement that a tap allows: shares of the screen's width. */
const [FAR, NEAR] = [0.3, 0.02];

export function edge(phone) {
  const strip = el("div", { class: "edge", "aria-hidden": "true" });
  let start = null;
  const isMirrored = () => phone.glass.dir === "rtl";
  const way = ({ clientX }) => ((isMirrored() ? -1 : 1) * (clientX - start)) / phone.glass.getBoundingClientRect().width;
  const draw = (share) => phone.screen.querySelector(".page")?.style.setProperty("translate", share > 0 ? `${(isMirrored() ? -100 : 100) * share}%` : "");
  strip.addEventListener("pointerdown", (event) => {
    start = event.clientX;
    strip.setPointerCapture(event.pointerId);
  });
  strip.addEventListener("pointermove", (event) => start !== null && draw(way(event)));
  strip.addEventListener("pointercancel", () => {
    start = null;
    draw(0);
  });
  strip.addEventListener("pointerup", (event) => {
    if (start === null) return;
    const share = way(event);
    start = null;
    draw(0);
    if (share >= FAR) phone.screen.querySelector(".page .back:not(:disabled, [data-stays])")?.click();
    else if (Math.abs(share) < NEAR) document.elementsFromPoint(event.clientX, event.clientY).find((one) => one !== strip)?.click?.();
  });
  return strip;
}
