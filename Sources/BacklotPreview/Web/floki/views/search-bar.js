import { el, icon } from "../../core/element.js";

/** The bar above a list. Return searches, on the server. */
export function drawSearchBar(view, { client }) {
  const input = el("input", { type: "search", "data-key": "search", "aria-label": "Search", placeholder: "Search", enterkeyhint: "search", on: { input: () => { view.typed = input.value; } } });
  input.value = view.typed ?? "";
  const end = () => {
    view.typed = "";
    client.endSearch(view);
  };
  const submit = (event) => {
    event.preventDefault();
    client.find(view, input.value);
  };
  return el("form", { class: "search", role: "search", on: { submit } }, el("span", { class: "field" }, icon("search"), input),
    view.search ? el("button", { type: "button", class: "cancel", "data-key": "cancel", text: client.text(10004) || "Cancel", on: { click: end } }) : null);
}
