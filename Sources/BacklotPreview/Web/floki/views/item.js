import { mangled, ownPath } from "../urls.js";
import { drawPage } from "./web.js";

/** The page of an item. Clients write its address with characters encoded that needn't be. */
export function drawItem(view, context) {
  const path = ownPath(view.url);
  return drawPage(view, path === null ? null : mangled(path), context);
}
