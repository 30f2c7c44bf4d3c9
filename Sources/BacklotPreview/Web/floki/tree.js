// The parts of a document, for the tree in the view inside.

export function childrenOf(node) {
  const found = [];
  for (const key of ["tabs", "sections", "items", "thumbs", "langs"]) {
    if (!Array.isArray(node[key])) continue;
    for (const [index, child] of node[key].entries()) if (child !== null && typeof child === "object") found.push([`/${key}/${index}`, { ...child, kind: key.slice(0, -1) }]);
  }
  return found;
}

export function describe(node) {
  if (node.kind === "lang") return { typ: "language", label: Object.keys(node)[0] };
  const typ = node.kind === "tab" || (node.kind === "item" && node.class_type) ? String(node.class_type) : node.kind ?? (node.items ? "news" : node.thumbs ? "gallery" : node.tabs ? "app data" : "?");
  const label = [node.title, node.name, node.data?.main_url, node.url].find((text) => typeof text === "string" && text !== "");
  return { typ, label: label ?? (node.id !== undefined ? String(node.id) : "") };
}
