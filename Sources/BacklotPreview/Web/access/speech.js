// The words of a screen reader for a page, in its order: each reachable part with its role, name and state.

/** The most parts that are read. */
export const MOST = 2000;

const ROLES = {
  BUTTON: "button", A: "link", SELECT: "menu", TEXTAREA: "text field", IMG: "picture", IFRAME: "web page", VIDEO: "film",
  H1: "heading", H2: "heading", H3: "heading",
};
const INPUTS = { checkbox: "checkbox", radio: "radio button", password: "secure text field", file: "file", range: "slider", search: "search field", number: "number field", button: "button" };
const NAMED = { img: "picture", switch: "switch", tab: "tab", checkbox: "checkbox", radio: "radio button", heading: "heading", link: "link", button: "button", alert: "message", menuitem: "button", option: "choice" };
const CONTROLS = "button, a[href], input, select, textarea, [role=button], [role=switch], [role=tab], [role=checkbox], [role=link]";
/** Elements inside a line of text, which don't end it. */
const INLINE = new Set(["SPAN", "B", "I", "STRONG", "EM", "CODE", "SMALL", "TIME", "SUB", "SUP", "BR"]);

/** The parts of a screen: `{element, role, name, states, isControl}`. */
export function spoken(screen) {
  const found = [];
  const visit = (element) => {
    if (found.length >= MOST || element.matches("[aria-hidden=true], [data-own]") || element.inert || !element.checkVisibility({ visibilityProperty: true })) return;
    const role = roleOf(element);
    if (role && role !== "message") return void found.push(part(element, role));
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
    const isLine = [...element.children].every((child) => INLINE.has(child.tagName) && !child.querySelector(CONTROLS) && !child.matches("[role]"));
    // A field's name includes its label.
    if (element.tagName === "LABEL" && element.control) {
      const own = textOf(element, element.control);
      if (own !== "" && own !== nameOf(element.control) && !nameOf(element.control).includes(own)) found.push({ element, role: "text", name: own, states: [], isControl: false });
      return void visit(element.control);
    }
    if ((texts.length > 0 || element.tagName === "P") && isLine) {
      const name = textOf(element);
      if (name !== "") found.push({ element, role: "text", name, states: [], isControl: false });
      return;
    }
    for (const child of element.children) visit(child);
  };
  for (const child of screen.children) visit(child);
  return found;
}

export function isControl(element) {
  return element.matches(CONTROLS);
}

function roleOf(element) {
  const named = NAMED[element.getAttribute("role")];
  if (named) return named;
  if (element.tagName === "INPUT") return INPUTS[element.type] ?? "text field";
  if (element.tagName === "A" && !element.hasAttribute("href")) return null;
  return ROLES[element.tagName] ?? null;
}

function part(element, role) {
  const states = [];
  const value = element.value ?? "";
  if (["checkbox", "switch", "radio button"].includes(role)) {
    const isOn = element.checked ?? element.getAttribute("aria-checked") === "true";
    states.push(role === "switch" ? (isOn ? "on" : "off") : isOn ? "checked" : "not checked");
  } else if (role === "secure text field") states.push(value === "" ? "empty" : `${value.length} characters`);
  else if (role.endsWith("field")) states.push(value === "" ? "empty" : `“${value.slice(0, 80)}”`);
  else if (role === "menu") states.push(`“${element.selectedOptions?.[0]?.text ?? ""}”`);
  if (element.disabled || element.getAttribute("aria-disabled") === "true") states.push("disabled");
  if (element.getAttribute("aria-selected") === "true" || element.getAttribute("aria-current")) states.push("selected");
  if (element.getAttribute("aria-expanded")) states.push(element.getAttribute("aria-expanded") === "true" ? "expanded" : "collapsed");
  if (element.getAttribute("aria-invalid") === "true") {
    const message = document.getElementById(element.getAttribute("aria-errormessage") ?? "");
    states.push(message ? `invalid: ${textOf(message)}` : "invalid");
  }
  return { element, role, name: nameOf(element), states, isControl: isControl(element) };
}

/** The name of a part (Accessible Name and Description Computation 1.2, as far as preview's clients draw). */
export function nameOf(element) {
  const by = element.getAttribute("aria-labelledby");
  if (by) return by.split(/\s+/).map((id) => document.getElementById(id)).filter(Boolean).map((one) => textOf(one)).join(" ");
  const label = element.getAttribute("aria-label")?.trim();
  if (label) return label;
  if (element.tagName === "IMG") return element.alt.trim();
  // Clients draw fields in their labels. (To ask for all labels of each element takes as long as there are elements.)
  const around = element.closest("label");
  if (around?.control === element) {
    const text = textOf(around, element);
    if (text !== "") return text;
  }
  if (["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName)) return (element.placeholder ?? "").trim() || element.title.trim();
  return textOf(element) || element.title.trim();
}

/** The spoken text of an element: with the names of pictures, without ornaments. */
export function textOf(element, without = null) {
  const words = [];
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return void words.push(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || node === without || node.getAttribute("aria-hidden") === "true") return;
    if (node.tagName === "IMG" || node.getAttribute("role") === "img") return void words.push(` ${node.alt ?? node.getAttribute("aria-label") ?? ""} `);
    if (!INLINE.has(node.tagName)) words.push(" ");
    for (const child of node.childNodes) visit(child);
    words.push(" ");
  };
  visit(element);
  return words.join("").replaceAll(/\s+/g, " ").trim();
}
