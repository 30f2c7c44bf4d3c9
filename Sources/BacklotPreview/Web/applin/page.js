// A page as a client has read it.

import { readActions } from "./actions.js";

/** How deep widgets may stand in each other. */
const DEPTH = 64;

export class Page {
  /** Reads the page in a document, the whole body of an answer. */
  constructor(document, text) {
    const page = document?.page ?? {};
    this.document = document;
    this.text = text;
    this.typ = page.typ;
    this.title = typeof page.title === "string" ? page.title : "";
    this.isEphemeral = page.ephemeral === true;
    const seconds = page.stream === true ? 0 : Number.isInteger(page.poll_seconds) ? page.poll_seconds : 0;
    this.pollSeconds = seconds > 0 ? seconds : null;
    this.back = backButton(page);
    /** The widgets, each after the one that it stands in, with the title of the section around it. */
    this.widgets = [];
    collect(page.widget, null, 0, this.widgets);
    /** The variables of its inputs: `{name, initial}`. */
    this.inputs = this.widgets.flatMap(({ node }) => inputsOf(node));
    this.hasValidatedInput = this.widgets.some(({ node }) => node.validated === true);
  }
}

/** `"standard"`, `"none"`, or a list of actions. */
function backButton(page) {
  if (page.typ !== "nav_page") return "none";
  if (page.start?.typ === "back_button") return readActions(page.start.actions);
  return page.start?.typ === "empty" ? "none" : "standard";
}

function collect(node, section, depth, found) {
  if (node === null || typeof node !== "object" || Array.isArray(node) || depth > DEPTH) return;
  found.push({ node, section });
  const inner = node.typ === "form_section" && typeof node.title === "string" ? node.title : section;
  if (node.widget) collect(node.widget, inner, depth + 1, found);
  else if (Array.isArray(node.widgets)) for (const child of node.widgets) collect(child, inner, depth + 1, found);
  else if (Array.isArray(node.row_groups)) {
    for (const group of node.row_groups) {
      if (!Array.isArray(group)) continue;
      for (const row of group) if (Array.isArray(row)) for (const cell of row) collect(cell, inner, depth + 1, found);
    }
  }
}

/** The variables that a widget sets, with what is sent while nobody has touched it. */
export function inputsOf(node) {
  const text = (value) => (typeof value === "string" ? value : "");
  switch (node.typ) {
    case "checkbox": return [{ name: text(node.var_name), initial: node.initial_bool === true }];
    case "textfield": return [{ name: text(node.var_name), initial: text(node.initial_string) }];
    case "selector":
      return ["", "1", "2"].filter((column) => typeof node[`var_name${column}`] === "string")
        .map((column) => ({ name: node[`var_name${column}`], initial: text(node[`initial_string${column}`]) }));
    default: return [];
  }
}
