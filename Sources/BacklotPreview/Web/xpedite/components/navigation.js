import { el, icon } from "../../core/element.js";
import { list, text } from "../values.js";
import { symbol } from "../symbols.js";

/** A navigation with its effects; one that is only named comes from the earlier ones. */
function whole(component, client) {
  return component.implementation ? component : client.navigations.get(component.id) ?? component;
}

/** The buttons of the bar, at its left and its right. */
export function drawBarButtons(components, { host, client }) {
  const sides = { left: [], right: [] };
  for (const [index, component] of components.entries()) {
    if (component?.type !== "navigation") continue;
    const navigation = whole(component, client);
    const { implementation } = navigation;
    const side = implementation?.position === "right" ? "right" : "left";
    if (!implementation) {
      host.problem(`The client has no navigation ${text(component.id)}: it was never sent whole.`);
      continue;
    }
    const entries = list(navigation.components);
    const name = text(implementation.icon);
    // A picture that the client has comes before the icon. Only a single entry is called at once.
    const image = client.images.get(text(implementation.image));
    const isMenu = implementation.style === "slidefrom" || entries.length > 1;
    const tap = () => {
      if (isMenu) {
        client.panel = navigation;
        client.changed();
      } else if (entries[0]?.method) {
        host.step({ do: "tap", label: text(entries[0].text) || name });
        client.call(entries[0].method);
      }
    };
    sides[side].push(el("button", {
      type: "button", class: "bar-button", "aria-label": isMenu ? "Menu" : text(entries[0]?.text) || name || "button", "aria-haspopup": isMenu ? "menu" : null, title: name || null,
      "data-pointer": `/components/${index}`, on: { click: tap },
    }, image ? el("span", { class: "entry-icon" }, host.image(image)) : symbol(name || "line.3.horizontal")));
  }
  return sides;
}

/** The panels at the sides, which a swipe from the edge brings in. */
export function panelsOf(components, client) {
  const panels = {};
  for (const component of components) {
    if (component?.type !== "navigation") continue;
    const navigation = whole(component, client);
    if (navigation.implementation?.style === "slidefrom") panels[navigation.implementation.position === "right" ? "right" : "left"] ??= navigation;
  }
  return panels;
}

/** The entries of a navigation, in a panel from its side, or as a menu below its button. */
export function drawPanel(navigation, { host, client }) {
  const { implementation } = navigation;
  const close = () => {
    client.panel = null;
    client.changed();
  };
  const isSlide = implementation.style === "slidefrom";
  const entries = list(navigation.components).map((entry) => {
    const label = text(entry?.text);
    if (!entry?.method) return label ? el("h2", { text: label }) : el("hr");
    const picture = isSlide && client.images.has(entry.icon) ? el("span", { class: "entry-icon" }, host.image(client.images.get(entry.icon))) : null;
    return el("button", {
      type: "button", role: "menuitem",
      on: { click: () => { client.panel = null; host.step({ do: "tap", label: label || text(implementation.icon) }); client.call(entry.method); } },
    }, picture, el("span", { class: "main", text: label }), !isSlide && entry.symbol ? symbol(entry.symbol) : null);
  });
  const shade = typeof navigation.effects?.["shade%"] === "number" ? Math.min(100, Math.max(0, navigation.effects["shade%"])) : isSlide ? 30 : 0;
  const layer = el("div", {
    class: `layer panel-layer ${isSlide ? "slide" : "drop"} ${implementation.position === "right" ? "right" : "left"}`,
    on: { click: (event) => event.target === layer && close(), keydown: (event) => event.key === "Escape" && close() },
  }, el("nav", { class: "side-panel", role: "menu", "aria-label": "Menu" },
    el("div", { class: "first-row" }, entries[0], el("button", { type: "button", class: "close-panel", "aria-label": "Close the menu", on: { click: close } }, icon("close"))),
    entries.slice(1)));
  layer.style.setProperty("background", `rgb(0 0 0 / ${shade}%)`);
  return layer;
}
