// The parts of a page, for the tree in the view inside.

import { list } from "./values.js";

export function childrenOf(node) {
  return list(node.components).map((child, index) => [`/components/${index}`, child]).filter(([, child]) => child !== null && typeof child === "object");
}

export function describe(node) {
  const label = [node.text, node.title, node.name, node.id, node.data?.dynamic, node.url, node.method?.function].find((text) => typeof text === "string" && text !== "");
  return { typ: String(node.type ?? (node.rc !== undefined ? "page" : "?")), label: label ?? "" };
}
