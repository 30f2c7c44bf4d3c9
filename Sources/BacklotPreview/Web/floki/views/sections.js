import { el, icon } from "../../core/element.js";
import { color } from "../colors.js";
import { pixels } from "../values.js";

/** Entries in sections. A header opens and closes what is below it, where it is interactive; an invisible one isn't drawn. */
export function drawSections(view, client, drawEntries) {
  const { feed } = view;
  return feed.sections.map((section) => {
    const entries = feed.of(section);
    if (section.visible === false) return drawEntries(entries);
    const isOpen = feed.isOpen(section);
    const name = String(section.name ?? "") + (section.show_count === true ? ` (${entries.length})` : "");
    return el("section", { "aria-label": name }, head(view, client, section, name, isOpen), isOpen ? drawEntries(entries) : null);
  });
}

function head(view, client, section, name, isOpen) {
  const isFixed = section.interactive === false;
  const toggle = () => {
    view.feed.toggle(section);
    client.changed();
  };
  const words = el("span", { class: "main", dir: "auto", text: name });
  const parts = { class: "section-head", "data-pointer": section.pointer };
  const head = isFixed ? el("h2", parts, words)
    : el("button", { type: "button", ...parts, "data-key": `section-${section.id}`, "aria-expanded": String(isOpen), on: { click: toggle } }, words, icon("down"));
  // The section's own colours, else those of the tab, else the reference's.
  const state = isOpen ? "expanded" : "collapsed";
  const usual = isOpen ? { back: "rgb(114 149 219)", text: "rgb(255 255 255)" } : { back: "rgb(126 127 127)", text: "rgb(0 0 0)" };
  for (const [part, property] of [["back", "--section-back"], ["text", "--section-text"]]) {
    head.style.setProperty(property, color(section[`${state}_${part}_color`]) ?? color(view.data[`section_${state}_${part}_color`]) ?? usual[part]);
  }
  head.style.setProperty("padding-inline", `${pixels(view.data.section_title_padding, 10)}px`);
  return head;
}
