// A page as a client has read it.

import { readActions } from "./actions.js";
import { readAs } from "./versions.js";

/** The deepest nesting of widgets. */
const DEPTH = 64;

export class Page {
  /** Reads the page in a document, the whole body of a response, as a release of the client does. */
  constructor(document, text, version = null) {
    const page = (version ? readAs(document, text, version) : document)?.page ?? {};
    this.document = document;
    /** The page in it, as the client reads it. */
    this.root = page;
    this.text = text;
    this.typ = page.typ;
    this.title = typeof page.title === "string" ? page.title : "";
    this.isEphemeral = page.ephemeral === true;
    const seconds = page.stream === true ? 0 : Number.isInteger(page.poll_seconds) ? page.poll_seconds : 0;
    this.pollSeconds = seconds > 0 ? seconds : null;
    this.back = backButton(page);
    /** The widgets, each after the one that it stands in, with the title of the section around it. `parent` is made of the numbers
     * of the widgets that lead to the one around it, in those around them. */
    this.widgets = [];
    collect(page.widget, null, 0, "", "", this.widgets);
    /** Its text fields by their nodes: `{parent, input}`. */
    this.textfields = new Map(this.widgets.filter(({ node }) => node.typ === "textfield").map(({ node, parent }) => [node, { parent, input: inputsOf(node)[0] }]));
    /** The variables of its inputs: `{name, initial}`. */
    this.inputs = this.widgets.flatMap(({ node }) => inputsOf(node));
    this.hasValidatedInput = this.widgets.some(({ node }) => node.validated === true && inputsOf(node).length > 0);
    const actions = [page.start, ...this.widgets.map(({ node }) => node)].map((node) => node?.actions?.[0]);
    const first = actions.find((action) => action !== undefined);
    /** The dialect of its first action; null without actions. */
    this.dialect = first === undefined ? null : typeof first === "string" ? "documented" : "objects";
  }
}

/** `"standard"`, `"none"`, or a list of actions. */
function backButton(page) {
  if (page.typ !== "nav_page") return "none";
  if (page.start?.typ === "back_button") return readActions(page.start.actions);
  return page.start?.typ === "empty" ? "none" : "standard";
}

function collect(node, section, depth, place, parent, found) {
  if (node === null || typeof node !== "object" || Array.isArray(node) || depth > DEPTH) return;
  found.push({ node, section, parent });
  const inner = node.typ === "form_section" && typeof node.title === "string" ? node.title : section;
  for (const [index, child] of children(node).entries()) collect(child, inner, depth + 1, `${place}/${index}`, place, found);
}

/** The keys under which widgets have others; null for none. Those of an app's own may have any. */
const CONTENTS = {
  scroll: "widget", column: "widgets", form: "widgets", form_section: "widgets", grouped_row_table: "row_groups",
  button: null, checkbox: null, checkbox_button: null, empty: null, error_text: null, form_button: null, image: null, last_error_text: null,
  nav_button: null, selector: null, text: null, textfield: null,
};

function children(node) {
  const has = (key) => node[key] && (CONTENTS[node.typ] === undefined || CONTENTS[node.typ] === key);
  if (has("widget")) return [node.widget];
  const list = (value) => (Array.isArray(value) ? value : []);
  if (has("widgets") && Array.isArray(node.widgets)) return node.widgets;
  return has("row_groups") ? list(node.row_groups).flatMap((group) => list(group).flatMap(list)) : [];
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
