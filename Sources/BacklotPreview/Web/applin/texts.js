// Reads the values of widgets: a value of a wrong type counts as absent.

export function text(value) {
  return typeof value === "string" ? value : "";
}

/** A distance in device-independent pixels, as a style, or null. */
export function pixels(value) {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? `${Math.min(value, 10_000)}px` : null;
}

/** The name of a part that can be tapped, and its number among the parts of that name. */
export function tapped(node, entry) {
  const label = text(node.text);
  const tappable = new Set(["button", "form_button", "nav_button", "checkbox", "checkbox_button"]);
  const same = entry.page.widgets.filter((widget) => tappable.has(widget.node.typ) && text(widget.node.text) === label);
  const own = same.find((widget) => widget.node === node);
  // Without a text it is known by its variable.
  if (label === "" && node.typ === "checkbox") return { do: "toggle", name: text(node.var_name) };
  const step = { do: "tap", label };
  if (same.length < 2 || !own) return step;
  const inSection = same.filter((widget) => widget.section === own.section);
  if (own.section !== null && inSection.length === 1) return { ...step, section: own.section };
  return { ...step, number: same.indexOf(own) + 1 };
}

/** The last error where the text asks for it. */
export function readable(value, client) {
  return text(value).replace("${INTERACTIVE_ERROR_DETAILS}", () => client.lastError?.message ?? "");
}
