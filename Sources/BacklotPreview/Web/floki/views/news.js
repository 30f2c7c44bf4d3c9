import { el, icon } from "../../core/element.js";
import { color } from "../colors.js";

/** A list of entries, perhaps in sections, with a search and older entries at its end. */
export function drawNews(view, context) {
  const { client } = context;
  const feed = client.feed(view);
  return [
    view.data.search_bar ? searchBar(view, context) : null,
    client.search ? results(view, context) : [
      feed.error ? el("p", { class: "undrawable", role: "alert" }, icon("alert"), el("span", { text: feed.error })) : null,
      feed.sections.length > 0 ? sections(view, feed, context) : rows(feed.shown, view, context),
      feed.shown.length === 0 && !feed.isLoading && !feed.error ? el("p", { class: "nothing", text: "There is nothing here." }) : null,
      feed.isLoading ? el("p", { class: "loading", role: "status", text: "Loading…" }) : null,
      // With sections clients show no cell for more.
      feed.hasOlder && feed.sections.length === 0 ? el("button", { type: "button", class: "more", text: "More…", on: { click: () => client.loadFeed(view, false, true) } }) : null,
    ],
  ];
}

function searchBar(view, { client, host }) {
  const input = el("input", { type: "search", "data-input": "search", "aria-label": "Search", placeholder: "Search", enterkeyhint: "search" });
  input.value = client.search?.words ?? "";
  const form = el("form", { class: "search", role: "search", on: {
    submit: (event) => {
      event.preventDefault();
      host.step({ do: "search", words: input.value });
      if (input.value.trim()) client.find(view, input.value);
      else {
        client.search = null;
        client.changed();
      }
    },
  } }, icon("search"), input, client.search ? el("button", { type: "button", class: "cancel", text: client.text(10004), on: { click: () => { client.search = null; client.changed(); } } }) : null);
  return form;
}

function results(view, context) {
  const { client } = context;
  const { search } = client;
  return [
    rows(search.results, view, context),
    search.results.length === 0 && !search.isLoading ? el("p", { class: "nothing", text: `Nothing was found for “${search.words}”.` }) : null,
    search.isLoading ? el("p", { class: "loading", role: "status", text: "Searching…" }) : null,
    search.hasMore ? el("button", { type: "button", class: "more", text: "More…", on: { click: () => client.find(view, search.words, search.page + 1) } }) : null,
  ];
}

function sections(view, feed, context) {
  return feed.sections.map((section) => {
    const entries = feed.shown.filter((entry) => (entry.section_ids ?? []).includes(section.id));
    if (section.visible === false) return rows(entries, view, context);
    const isOpen = section.interactive === false || feed.isOpen(section);
    const head = el("button", {
      type: "button", class: "section-head", "aria-expanded": String(isOpen), disabled: section.interactive === false, "data-pointer": section.pointer ?? null,
      on: { click: () => { feed.toggle(section); context.client.changed(); } },
    }, el("span", { class: "main", dir: "auto", text: String(section.name ?? "") }), section.show_count === true ? el("span", { class: "number", text: String(entries.length) }) : null, icon("down"));
    // The section's own colours, else those of the tab, else the reference's.
    const state = isOpen ? "expanded" : "collapsed";
    head.style.setProperty("background", color(section[`${state}_back_color`]) ?? color(view.data[`section_${state}_back_color`]) ?? (isOpen ? "rgb(114 149 219)" : "rgb(126 127 127)"));
    head.style.setProperty("color", color(section[`${state}_text_color`]) ?? color(view.data[`section_${state}_text_color`]) ?? (isOpen ? "rgb(255 255 255)" : "rgb(0 0 0)"), "important");
    return el("section", {}, head, isOpen ? rows(entries, view, context) : null);
  });
}

function rows(entries, view, context) {
  const height = Number.isInteger(view.data.row_height) && view.data.row_height > 0 ? view.data.row_height : 79;
  const [width, tall] = Array.isArray(view.data.image_size) ? view.data.image_size : [60, 60];
  return el("div", { class: "rows" }, entries.map((entry) => {
    const place = entry.image ? el("span", { class: "thumb" }, context.host.image(String(entry.image), location.origin)) : null;
    place?.style.setProperty("width", `${Math.min(Number(width) || 60, 200)}px`);
    place?.style.setProperty("height", `${Math.min(Number(tall) || 60, 200)}px`);
    const title = el("span", { class: "main", dir: "auto", text: String(entry.title ?? "") });
    const shade = color(view.data.title_color);
    if (shade) title.style.setProperty("--own", shade);
    const row = el("button", { type: "button", class: "entry", "data-pointer": entry.pointer ?? null, on: { click: () => open(entry, context) } },
      place, el("span", { class: "words" }, title, entry.body ? el("span", { class: "sub", dir: "auto", text: String(entry.body) }) : null, entry.footer ? el("span", { class: "footer", dir: "auto", text: String(entry.footer) }) : null), icon("chevron"));
    row.style.setProperty("min-height", `${Math.min(height, 400)}px`);
    return row;
  }));
}

/** Shows an entry: its own page, or the view that it names. */
export function open(entry, { client }) {
  const title = String(entry.title ?? "");
  if (entry.class_type && entry.class_type !== "Item_view_controller") {
    client.push({ type: entry.class_type, data: { ...(entry.data ?? {}), main_url: entry.data?.main_url ?? entry.url }, title, entry });
  } else {
    client.push({ type: "Item_view_controller", data: { main_url: entry.url }, title, entry });
  }
}
