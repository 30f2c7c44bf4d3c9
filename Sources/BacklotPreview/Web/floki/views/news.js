import { el } from "../../core/element.js";
import { isSearchURL } from "../urls.js";
import { drawEnd, drawFailure } from "./list-end.js";
import { drawRows } from "./row.js";
import { drawSearchBar } from "./search-bar.js";
import { drawSections } from "./sections.js";

/** A list of entries, perhaps in sections, with a search and older entries at its end. */
export function drawNews(view, context) {
  const rows = (entries) => drawRows(entries, view, context);
  const bar = isSearchURL(view.data.search_bar) && !view.tag ? drawSearchBar(view, context) : null;
  return [bar, view.search ? results(view, context, rows) : entries(view, context, rows)];
}

function entries(view, { client }, rows) {
  const { feed } = view;
  const { shown } = feed;
  return [
    drawFailure(feed), feed.sections ? drawSections(view, client, rows) : rows(shown),
    drawEnd(feed, shown.length === 0 && !feed.sections?.length ? "There is nothing here." : "", client.offersOlder(view), () => client.loadOlder()),
  ];
}

function results({ search, ...rest }, { client, host }, rows) {
  const more = () => {
    host.step({ do: "moreResults" });
    client.findMore(client.list);
  };
  return el("div", { class: "results", role: "region", "aria-label": rest.tag ? search.words : "Results" }, drawFailure(search), rows(search.results),
    drawEnd(search, search.results.length === 0 && !search.error ? `Nothing was found for “${search.words}”.` : "", search.hasMore, more));
}
