import { el, icon } from "../../core/element.js";
import { text } from "../texts.js";
import { fieldError } from "./textfield.js";

export function drawSelector(node, pointer, { host, client }) {
  const columns = ["", "1", "2"].filter((column) => typeof node[`var_name${column}`] === "string").map((column) => {
    const name = node[`var_name${column}`];
    const options = (Array.isArray(node[`options${column}`]) ? node[`options${column}`] : []).filter((option) => typeof option === "string");
    const value = client.value({ name, initial: text(node[`initial_string${column}`]) });
    const select = el("select", { "data-input": name, "aria-label": text(node.label) || name, "aria-invalid": text(node.error) ? "true" : null },
      options.map((option) => el("option", { value: option, text: option })));
    // While the variable's value isn't an option, it shows the first option and sends the variable's value.
    select.selectedIndex = Math.max(0, options.indexOf(value));
    select.addEventListener("change", () => {
      host.step({ do: "choose", option: select.value, selector: column === "" && text(node.label) ? node.label : name });
      client.set(name, select.value);
      client.changedByHand(node);
      client.changed();
    });
    return el("span", { class: "select" }, select, icon("down"));
  });
  return el("div", { class: `selector field row ${text(node.error) ? "wrong" : ""}` },
    text(node.label) ? el("span", { class: "label", dir: "auto", text: node.label }) : null,
    el("span", { class: "columns" }, columns), fieldError(node));
}
