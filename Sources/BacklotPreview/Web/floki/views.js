// The views of the app, one above the other: `{type, url, base, data, title, entry, siblings, tag, link}`, and what they have
// fetched. `link` is the one on a page that has opened it.

import { Feed } from "./feed.js";
import { Search } from "./search.js";
import { object, positive, words } from "./values.js";

/** Whether a class shows a feed. */
export function isList(type) {
  return type === "News_view_controller" || type === "Gallery_view_controller";
}

/** Makes a view. `tag` is `{url, words}` for one that shows what has a tag. */
export function makeView(parts) {
  const view = { entry: null, siblings: [], tag: null, link: null, search: null, feed: null, ...parts, data: object(parts.data), title: words(parts.title) };
  if (view.tag) view.search = new Search(view.tag.url, view.tag.words);
  else if (isList(view.type)) view.feed = new Feed(positive(view.data.cache_size, 50));
  return view;
}

/** The part of a view's state that survives a reload. */
export function plain({ type, url, base, data, title, entry, siblings, tag, link }) {
  return { type, url, base, data, title, entry, siblings, tag, link };
}
