// The parts of a page, for the tree in the view inside.

/** What stands in a part: `[[JSON pointer below it, part], …]`. */
export function childrenOf(node) {
  const found = [];
  const add = (pointer, value) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) found.push([pointer, value]);
  };
  if (node.page && node.typ === undefined) add("/page", node.page);
  for (const key of ["start", "end", "widget"]) add(`/${key}`, node[key]);
  for (const [index, child] of list(node.widgets)) add(`/widgets/${index}`, child);
  for (const [group, rows] of list(node.row_groups)) {
    for (const [row, cells] of list(rows)) for (const [cell, child] of list(cells)) add(`/row_groups/${group}/${row}/${cell}`, child);
  }
  return found;
}

function list(value) {
  return Array.isArray(value) ? value.entries() : [];
}

/** A part in a line. */
export function describe(node) {
  const label = [node.var_name, node.text, node.title, node.label, node.url].find((text) => typeof text === "string" && text !== "");
  return { typ: String(node.typ ?? "?"), label: label ?? "" };
}
