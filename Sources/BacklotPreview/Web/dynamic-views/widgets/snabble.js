import { el, icon } from "../../core/element.js";

const TEXTS = {
  customerCard: ["Customer card", "Show the card at the till"], locationPermission: ["Location", "Allow the app to find stores near you"],
  startShopping: ["Start shopping", ""], allStores: ["Show all stores", ""], connectWifi: ["Connect to the store's Wi-Fi", ""],
};
/** What the SDK sends with a tap, where it isn't the widget alone. */
const ELEMENTS = { customerCard: "Snabble.DynamicView.CustomerCard.information", locationPermission: "Snabble.LocationPermission.notDetermined" };

/** A widget of the SDK: what is in it only the SDK knows, so that preview shows what it is for. */
export function drawSnabble(widget, pointer, { client }) {
  const kind = widget.type.split(".").at(-1);
  const [title, detail] = TEXTS[kind];
  const tap = () => client.interact(widget.id, ELEMENTS[kind] ? { elementId: ELEMENTS[kind] } : {});
  if (kind === "startShopping" || kind === "allStores") {
    return el("div", {}, el("button", { type: "button", class: `button ${kind === "allStores" ? "quiet" : ""}`, text: title, on: { click: tap } }));
  }
  return el("div", {}, el("div", { class: "information" }, el("button", { type: "button", class: "tap", on: { click: tap } },
    el("span", { class: "words" }, el("strong", { text: title }), detail ? el("small", { text: detail }) : null), icon("chevron"))));
}

/** The last purchases: sample receipts, since only the SDK has real ones. */
export function drawLastPurchases(widget, pointer, { client }) {
  const receipt = (id, amount, when) => el("button", { type: "button", class: "receipt", on: { click: () => client.interact(widget.id, { elementId: id, userInfo: { id } }) } },
    el("strong", { text: amount }), el("small", { text: when }));
  return el("div", {}, el("div", { class: "head" }, el("h2", { text: "Last purchases" }),
    el("button", { type: "button", class: "tap", on: { click: () => client.interact(widget.id, { elementId: "Snabble.Dashboard.Purchases.more" }) } }, el("span", { text: "More" }))),
  el("div", { class: "receipts" }, receipt("10001", "12.40 €", "Yesterday"), receipt("10002", "3.95 €", "Last week")));
}
