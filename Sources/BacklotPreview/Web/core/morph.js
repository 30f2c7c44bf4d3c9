// Drawing again without losing the focus, the caret and what is being typed.

/** The attributes that the view inside sets. */
const MARKS = new Set(["data-marked", "data-chosen", "data-finding"]);
const HANDLERS = ["onclick", "oninput", "onchange", "onkeydown"];

/**
 * Makes an element like another one, which is used up. Parts of the same kind in the same place stay.
 *
 * Elements with another `data-key` are others. One with `data-url` is filled by its function `make` when the URL is another one.
 */
export function morph(element, model) {
  if (element.nodeName !== model.nodeName || element.dataset?.key !== model.dataset?.key) return void (element.replaceWith(model), loadAll(model));
  if (element.nodeType === Node.TEXT_NODE) {
    if (element.data !== model.data) element.data = model.data;
    return;
  }
  for (const { name } of [...element.attributes]) if (!model.hasAttribute(name) && !MARKS.has(name)) element.removeAttribute(name);
  for (const { name, value } of model.attributes) {
    if (element.getAttribute(name) === value) continue;
    // The page's policy forbids styles in attributes.
    if (name === "style") element.style.cssText = model.style.cssText;
    else element.setAttribute(name, value);
  }
  for (const name of HANDLERS) element[name] = model[name];
  if (element.matches("input, textarea, select")) {
    if (element.value !== model.value) element.value = model.value;
    if (element.checked !== model.checked) element.checked = model.checked;
  }
  element.make = model.make;
  if (element.dataset.url !== undefined) return load(element);
  const children = [...element.childNodes];
  for (const [index, child] of [...model.childNodes].entries()) {
    if (children[index]) morph(children[index], child);
    else {
      element.append(child);
      loadAll(child);
    }
  }
  for (const child of children.slice(model.childNodes.length)) child.remove();
}

/** Fills an element with what its URL stands for, unless it shows that already. */
function load(element) {
  if (element.loaded === element.dataset.url) return;
  element.loaded = element.dataset.url;
  element.replaceChildren(element.make());
}

function loadAll(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  if (node.dataset.url !== undefined) load(node);
  for (const element of node.querySelectorAll("[data-url]")) load(element);
}
