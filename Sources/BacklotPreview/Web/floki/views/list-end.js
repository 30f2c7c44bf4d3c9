import { el, icon } from "../../core/element.js";

/** The note below a list about a missing response; the earlier entries stay. */
export function drawFailure({ error }) {
  return error ? el("p", { class: "undrawable", role: "alert" }, icon("alert"), el("span", { dir: "auto", text: error })) : null;
}

/** The end of a list: that there is nothing, that it is being loaded, or a cell that loads more. */
export function drawEnd({ isLoading, error }, nothing, hasMore, more) {
  if (isLoading) return el("p", { class: "loading", role: "status", text: "Loading…" });
  if (hasMore) return el("button", { type: "button", class: "more", "data-key": "more", text: "More…", on: { click: more } });
  return nothing && !error ? el("p", { class: "nothing", text: nothing }) : null;
}
