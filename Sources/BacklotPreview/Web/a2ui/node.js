// A component in its place in the tree. A component that several name, or a template, has several nodes.

import { el, icon } from "../core/element.js";
import { drawingOf } from "./components.js";
import { Evaluator, ROOT } from "./evaluator.js";
import { expect } from "./functions.js";
import { pathOf, pointerOf, read } from "./model.js";

/** The most nodes of a drawing, and their deepest nesting. */
const [NODE_LIMIT, DEPTH_LIMIT] = [5000, 100];

export class ComponentNode {
  /** `ids` are those of the components around it, and its own. */
  constructor(drawing, surface, id, path = "root", scope = ROOT, ids = [id]) {
    const { json, pointer } = surface.components.get(id) ?? {};
    // The key names the node among all on the screen.
    Object.assign(this, { drawing, client: drawing.client, surface, id, path, scope, ids, json, pointer, key: `${encodeURIComponent(surface.id)}/${path}`, evaluator: new Evaluator(surface, scope) });
  }

  text(key) {
    return this.evaluator.text(this.json[key]);
  }

  /** A value that only this client knows, such as the chosen tab. */
  local(name, initial) {
    return this.client.local.get(`${this.key} ${this.json.component} ${name}`) ?? initial;
  }

  setLocal(name, value) {
    this.client.local.set(`${this.key} ${this.json.component} ${name}`, value);
    this.client.onChange();
  }

  /** The value of an input. One that isn't bound keeps what a person gives to itself. */
  get input() {
    const value = this.evaluator.value(this.json.value);
    return this.evaluator.target(this.json.value) ? value : this.local("value", value);
  }

  set input(value) {
    const path = this.evaluator.target(this.json.value);
    if (path) this.client.write(this.surface, path, value);
    else this.setLocal("value", value);
  }

  /** The drawn component with an id, below this one; null as long as it hasn't come. */
  child(id, step, scope = this.scope) {
    return new ComponentNode(this.drawing, this.surface, id, `${this.path}/${step}`, scope, [...this.ids, id]).draw();
  }

  /** The drawn children: those of a list, or one for each element that a template is bound to. */
  children(key = "children") {
    const list = this.json[key] ?? [];
    if (Array.isArray(list)) return list.map((id, index) => this.child(id, `${key}/${index}`));
    const path = pathOf(String(list.path ?? ""), this.scope.path);
    const elements = read(this.surface.model, path) ?? [];
    if (Array.isArray(elements)) return elements.map((_, index) => this.child(list.componentId, `${key}/${index}`, { path: [...path, String(index)], index }));
    return this.evaluator.attempt(() => expect(undefined, `The template of “${this.id}” is bound to ${pointerOf(path)}, which isn't a list.`)) ?? [];
  }

  draw() {
    const { json, ids, drawing, evaluator } = this;
    if (!json || ++drawing.count > NODE_LIMIT + 1) return null;
    if (drawing.count > NODE_LIMIT) return note(`Preview draws ${NODE_LIMIT} components.`);
    if (ids.indexOf(this.id) < ids.length - 1 || ids.length > DEPTH_LIMIT) return note(`The component “${this.id}” is within itself, or too deep in others.`);
    const element = evaluator.attempt(() => drawingOf(json.component)(this)) ?? note(`This ${json.component} can't be drawn: ${evaluator.errors.at(-1).message}`);
    this.describe(element, json["@accessibility"] ?? json.accessibility ?? {});
    Object.assign(element.dataset, { pointer: this.pointer, key: `${this.key} ${json.component}` });
    if (typeof json.weight === "number") element.style.flex = `${json.weight} 1 0`;
    this.client.report(evaluator.errors);
    return element;
  }

  /** Gives an element the words that the server has for screen readers. */
  describe(element, { label, description, live, hidden }) {
    const target = element.querySelector(":scope > label > :is(input, textarea), :scope > [role]") ?? element;
    const role = target.matches(":is(div, p, span):not([role])") && label !== undefined && "group";
    const attributes = { role, "aria-label": this.evaluator.text(label), "aria-description": this.evaluator.text(description), "aria-live": live, "aria-hidden": this.evaluator.value(hidden) === true };
    for (const [name, value] of Object.entries(attributes)) if (value) (/live|hidden/.test(name) ? element : target).setAttribute(name, value);
  }
}

const note = (text) => el("p", { class: "undrawable" }, icon("alert"), el("span", { text }));
