import { el, icon } from "../../core/element.js";
import { drawWidget } from "../widgets.js";

/** The distance that pulls a page down far enough for a refresh, in pixels. */
const FAR = 64;

export function drawScroll(node, pointer, context) {
  const { host, client } = context;
  const scroll = el("div", { class: "scroll", tabindex: "-1" });
  const inner = drawWidget(node.widget, `${pointer}/widget`, context);
  if (node.pull_to_refresh === false) {
    scroll.append(inner);
    return scroll;
  }
  const refresh = () => {
    host.step({ do: "pullToRefresh" });
    client.tap([{ typ: "poll" }]);
  };
  // A button serves people who can't pull.
  scroll.append(el("button", { type: "button", class: "pull", "data-own": true, "aria-label": "Refresh", on: { click: refresh } }, icon("refresh")), inner);
  let start = null;
  const pulled = (event) => Math.max(0, Math.min(FAR * 1.5, (event.clientY - start) / 2));
  scroll.addEventListener("pointerdown", (event) => {
    start = scroll.scrollTop <= 0 && !event.target.closest("input, textarea, select") ? event.clientY : null;
  });
  scroll.addEventListener("pointermove", (event) => {
    if (start === null || event.buttons === 0) return;
    scroll.style.setProperty("--pull", `${pulled(event)}px`);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    scroll.addEventListener(name, (event) => {
      if (start === null) return;
      const isFar = name === "pointerup" && pulled(event) >= FAR;
      start = null;
      scroll.style.removeProperty("--pull");
      if (isFar) refresh();
    });
  }
  return scroll;
}
