import { el, icon } from "../../core/element.js";
import { picture } from "../style.js";
import { text } from "../values.js";

const TEXTS = {
  customerCard: ["Customer card", "Show the card at the till"], locationPermission: ["Location", "Allow the app to find stores near you"],
  startShopping: ["Start shopping", ""], allStores: ["Show all stores", ""], connectWifi: ["Connect to the store's Wi-Fi", ""],
};
/** The ids that tapped widgets of iOS report instead of the document's. */
const OWN_IDS = { customerCard: "Snabble.DynamicView.CustomerCard.information", locationPermission: "Snabble.LocationPermission.notDetermined" };

/** A widget of the SDK: what is in it only the SDK knows, so that preview shows what it is for. */
export function drawSnabble(widget, pointer, { host, client }) {
  const kind = widget.type.split(".").at(-1);
  const [title, detail] = TEXTS[kind];
  const tap = () => client.interact(client.isAndroid ? widget.id : OWN_IDS[kind] ?? widget.id);
  if (kind === "startShopping" || kind === "allStores") {
    return el("div", {}, el("button", { type: "button", class: `button ${kind === "allStores" ? "quiet" : ""}`, text: title, on: { click: tap } }));
  }
  const isCard = kind === "customerCard" && client.isAndroid;
  return el("div", {}, el("div", { class: "information" }, isCard && widget.image ? el("span", { class: "sign" }, picture(widget.image, host)) : null,
    el("button", { type: "button", class: "tap", on: { click: tap } },
      el("span", { class: "words" }, el("strong", { text: title }), detail ? el("small", { text: detail }) : null,
        isCard ? el("span", { dir: "auto", text: text(widget.text) }) : null), icon("chevron"))));
}

const DEVICE_IDS = { "snabble.clientId": "Client ID", "snabble.appUserId": "User ID" };

/** A row of Android's SDK: its settings for developers, or an id that only the device knows. */
export function drawDevice(widget, pointer, { client }) {
  return el("div", { class: "line" }, el("button", { type: "button", class: "tap", on: { click: () => client.interact(widget.id) } },
    el("span", { class: "words", dir: "auto", text: DEVICE_IDS[widget.type] ?? text(widget.text) }), widget.type === "snabble.devSettings" ? icon("chevron") : null));
}

/** The last purchases: sample receipts, since only the SDK has real ones. */
export function drawLastPurchases(widget, pointer, { client }) {
  const receipt = (id, amount, when) => el("button", { type: "button", class: "receipt", on: { click: () => client.interact(widget.id, { userInfo: { id } }) } },
    el("strong", { text: amount }), el("small", { text: when }));
  return el("div", {}, el("div", { class: "head" }, el("h2", { text: "Last purchases" }),
    el("button", { type: "button", class: "tap", on: { click: () => client.interact(widget.id) } }, el("span", { text: "More" }))),
  el("div", { class: "receipts" }, receipt("10001", "12.40 €", "Yesterday"), receipt("10002", "3.95 €", "Last week")));
}
