// The parts of a document, for the tree in the view inside.

export function childrenOf(node) {
  const found = [];
  for (const key of ["widgets", "items"]) {
    if (!Array.isArray(node[key])) continue;
    for (const [index, child] of node[key].entries()) if (child !== null && typeof child === "object") found.push([`/${key}/${index}`, child]);
  }
  return found;
}

export function describe(node) {
  const label = [node.text, node.header, node.image, node.id].find((text) => typeof text === "string" && text !== "");
  return { typ: String(node.type ?? (node.widgets ? "document" : "?")), label: label ?? "" };
}
