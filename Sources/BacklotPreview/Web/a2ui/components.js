// The components of the basic catalog, and boxes for all others. Handlers read their events: the drawn elements may be those of an earlier drawing.

import { el, icon, picture } from "../core/element.js";
import { oneOf } from "./functions.js";
import { CheckBox, ChoicePicker, DateTimeInput, Slider, TextField } from "./inputs.js";
import { blocks, inline } from "./markdown.js";

const FLOW = { justify: ["start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch"], align: ["stretch", "start", "center", "end"] };
/** The properties that name components. */
const REFERENCES = ["child", "children", "tabs", "trigger", "content"];
/** The properties that aren't a custom component's own. */
const COMMON = ["id", "component", "weight", "accessibility", "@accessibility", "@catalogId"];

const flow = (node) => el("div", { class: node.json.component, "data-justify": oneOf(node.json.justify, ...FLOW.justify), "data-align": oneOf(node.json.align, ...FLOW.align) }, node.children());
/** An element with a picture, film or sound. `make` makes those only when the URL changes; see `morph`. */
const loaded = (url, parts, make) => Object.assign(el("div", { ...parts, "data-url": url }), { make });
const own = (url) => (url && URL.canParse(url, location.origin) && new URL(url, location.origin).origin === location.origin ? url : null);

const DRAWINGS = {
  TextField, CheckBox, ChoicePicker, Slider, DateTimeInput, Row: flow, Column: flow,
  Text: (node) => {
    const variant = oneOf(node.json.variant, "body", "h1", "h2", "h3", "h4", "h5", "caption");
    return variant === "body" ? el("div", { class: "Text" }, blocks(node.text("text"))) : el(variant === "caption" ? "p" : variant, { class: `Text ${variant}`, dir: "auto" }, inline(node.text("text")));
  },
  Image: (node) => {
    const look = `Image ${oneOf(node.json.variant, "mediumFeature", "icon", "avatar", "smallFeature", "largeFeature", "header")} ${oneOf(node.json.fit, "fill", "contain", "cover", "none", "scaleDown")}`;
    const [url, label] = [node.text("url"), node.text("description")];
    return loaded(url, { class: look, role: label ? "img" : null, "aria-label": label || null }, () => Object.assign(node.drawing.host.image(url), label ? { alt: "" } : {}));
  },
  Icon: (node) => {
    const value = node.evaluator.value(node.json.name);
    const [name, path] = [typeof value === "string" ? value : "", value?.svgPath === undefined ? null : node.evaluator.text(value.svgPath)];
    const words = name.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
    return el("span", { class: `Icon ${path === null ? "" : "filled"}`, role: "img", "aria-label": words || "icon", title: words || null },
      picture({}, path === null ? ["use", { href: `/__preview/web/a2ui/icons.svg#${encodeURIComponent(name) || "none"}` }] : ["path", { d: path }]));
  },
  Video: (node) => player(node, "video", "film", { poster: own(node.text("posterUrl")) }),
  AudioPlayer: (node) => player(node, "audio", "sound"),
  List: (node) => {
    const isAcross = node.json.direction === "horizontal";
    const items = node.children().map((child) => el("div", { role: "listitem" }, child));
    return el("div", { class: `List ${isAcross ? "across" : ""}`, role: items.length > 0 ? "list" : null, "data-align": oneOf(node.json.align, ...FLOW.align), tabindex: isAcross ? "0" : null }, items);
  },
  Card: (node) => el("div", { class: "Card card" }, node.child(node.json.child, "child")),
  Divider: ({ json: { axis } }) => el("div", { class: `Divider ${axis === "vertical" ? "upright" : ""}`, role: "separator", "aria-orientation": axis === "vertical" ? "vertical" : null }),
  Tabs: (node) => {
    const { tabs } = node.json;
    const chosen = Math.min(node.local("chosen", 0), tabs.length - 1);
    const names = tabs.map((_, index) => `${node.key}/tab/${index}`);
    const list = tabs.map(({ title }, index) => {
      const parts = { type: "button", role: "tab", id: names[index], dir: "auto", "aria-selected": String(index === chosen), "aria-controls": `${node.key}/panel`, tabindex: index === chosen ? null : "-1" };
      const onkeydown = ({ key, target }) => {
        const isForward = (key === "ArrowRight") === (getComputedStyle(target).direction === "ltr");
        const next = /^Arrow(?:Left|Right)$/.test(key) && (isForward ? target.nextElementSibling : target.previousElementSibling);
        if (next) next.click(next.focus());
      };
      return Object.assign(el("button", parts, node.evaluator.text(title)), { onclick: ({ currentTarget }) => node.setLocal("chosen", index, node.drawing.tapped(currentTarget)), onkeydown });
    });
    return el("div", { class: "Tabs" }, el("div", { class: "tab-list", role: "tablist" }, list),
      el("div", { class: "tab-panel", role: "tabpanel", id: `${node.key}/panel`, "aria-labelledby": names[chosen] }, node.child(tabs[chosen].child, `tabs/${chosen}/child`)));
  },
  // The trigger. The content is drawn in front of the page once the trigger is tapped.
  Modal: (node) => {
    if (node.key === node.client.modal) node.drawing.modal = node;
    const trigger = node.child(node.json.trigger, "trigger");
    const isPlain = !trigger?.matches("button, :has(button, input, [tabindex])");
    const onclick = ({ currentTarget }) => node.drawing.open(node, isPlain && node.drawing.tapped(currentTarget));
    return Object.assign(el(isPlain ? "button" : "div", { class: "Modal", type: isPlain ? "button" : null, "aria-haspopup": isPlain ? "dialog" : null }, trigger), { onclick });
  },
  Button: (node) => {
    const problems = node.evaluator.failures(node.json).filter(({ severity }) => severity === "error").map(({ message }) => message);
    const parts = { type: "button", class: `Button ${oneOf(node.json.variant, "default", "primary", "borderless")}`, disabled: problems.length > 0, title: problems.join("\n") || null };
    return Object.assign(el("button", parts, node.child(node.json.child, "child")), { onclick: ({ currentTarget }) => node.client.tap(node, node.drawing.tapped(currentTarget)) });
  },
};

/** The function that draws a type. A component of another catalog is a box with its name, its properties, and the components that it names. */
export function drawingOf(type) {
  return Object.hasOwn(DRAWINGS, type) ? DRAWINGS[type] : (node) => {
    const named = Map.groupBy(childrenOf(node.json, node.surface.components), ([, [key]]) => key);
    const properties = Object.keys(node.json).filter((key) => !COMMON.includes(key) && !named.has(key));
    const children = [...named].map(([key, found]) => (typeof node.json[key].componentId === "string" ? node.children(key) : found.map(([id, steps]) => node.child(id, steps.join("/")))));
    return el("div", { class: "own-widget", role: "group", "aria-label": type }, el("p", { class: "own-name", text: type }), properties.map((key) => el("p", { class: "own-value", dir: "auto", text: `${key}: ${node.text(key)}` })), children);
  };
}

/** The ids that a component names, each with the steps to it. Of a custom component's properties, each text that is an id counts. */
export function childrenOf(json, components) {
  const below = (value, steps) => Object.entries(steps.length > 4 ? {} : value ?? {}).flatMap(([key, child]) => visit(child, [...steps, key]));
  const visit = (value, steps) => (typeof value !== "string" ? below(value, steps) : components.has(value) ? [[value, steps]] : []);
  return (Object.hasOwn(DRAWINGS, json.component) ? REFERENCES : Object.keys(json).filter((key) => !COMMON.includes(key))).flatMap((key) => visit(json[key], [key]));
}

/** A film or sound. Like pictures, preview loads them only from its own server. */
function player(node, tag, what, parts) {
  const [url, label] = [node.text("url"), node.text("description")];
  return loaded(url, { class: node.json.component }, () => (own(url) ? el(tag, { controls: true, preload: "metadata", src: own(url), "aria-label": label || what, ...parts })
    : el("span", { class: "elsewhere" }, icon("play"), el("span", { dir: "auto", text: label || `A ${what} on another host` }))));
}
