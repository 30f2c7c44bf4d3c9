import { el } from "../../core/element.js";
import { list, text } from "../values.js";
import { dress } from "../style.js";

/** A table that requests its rows in batches, as it is scrolled. */
export function drawTable(component, pointer, { host, client }) {
  const method = text(component.data?.dynamic);
  const state = client.tables.get(method) ?? { rows: [], hasMore: false, isLoading: false, error: null };
  const cells = list(component.cell);
  const header = list(component.header);
  const columns = columnWidths(cells.length > 0 ? cells : header);
  const isFixed = header.some((column) => column?.scroll === "off");
  const head = header.length === 0 ? null : el("thead", { class: isFixed ? "fixed" : "" }, el("tr", {}, header.map((column) => cell("th", { scope: "col" }, text(column?.text), column ?? {}, client))));
  const click = component.clickRow;
  const tap = (row, index) => {
    host.step({ do: "tapRow", row: index });
    const field = text(click.selected);
    client.call(click, field && row[field] !== undefined ? { parameters: { ...(click.parameters ?? {}), [field]: row[field] } } : {});
  };
  const rows = state.rows.map((row, index) => el("tr", {
    tabindex: click ? "0" : "-1", role: click ? "button" : null, "data-input": `rows/${method}/${index}`,
    on: click ? { click: () => tap(row, index), keydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), tap(row, index)) } : {},
  }, cells.map((column) => cell("td", {}, row[column?.field], column ?? {}, client))));
  const more = () => client.load(method, state.rows.length);
  const table = el("table", { "aria-label": method }, el("colgroup", {}, columns.map((width) => {
    const column = el("col");
    column.style.setProperty("width", width);
    return column;
  })), head, el("tbody", {}, rows));
  // The keyboard's place is "More…", then "Loading…", then the first new row.
  const next = `rows/${method}/${state.rows.length}`;
  const foot = state.hasMore ? el("button", { type: "button", class: "plain more", "data-input": next, text: "More…", on: { click: more } }) : null;
  const place = dress(el("div", { class: `table ${click ? "tappable" : ""}`, "data-scrolls": true },
    text(component.refresh) ? el("button", { type: "button", class: "plain refresh", "data-input": `rows/${method}`, text: component.refresh, on: { click: () => { host.step({ do: "refresh" }); client.load(method, 0); } } }) : null,
    table, state.isLoading ? el("p", { class: "loading", role: "status", tabindex: "-1", "data-input": next, text: "Loading…" }) : null,
    state.error ? el("p", { class: "undrawable", role: "alert", text: state.error }) : null, foot), { background: component.background });
  // After an error only a person tries again.
  if (foot && !state.error) new IntersectionObserver(([entry], observer) => {
    if (!entry.isIntersecting) return;
    observer.disconnect();
    if (foot.isConnected) more();
  }, { root: host.screen }).observe(foot);
  return place;
}

/** A cell or a heading: as high as its column's lines, with the column's fonts or else the session's. */
function cell(name, parts, value, column, client) {
  const { font, fontsize } = client.defaults;
  const element = dress(el(name, parts, el("span", { dir: "auto", text: value === undefined || value === null ? "" : String(value) })), column, { font, fontsize });
  const lines = Number.isInteger(column.lines) ? column.lines : 1;
  element.firstChild.style.setProperty("-webkit-line-clamp", lines > 0 ? String(lines) : "none");
  return element;
}

/** The columns' widths; those that say nothing share what is left. */
function columnWidths(columns) {
  const own = columns.map((column) => (typeof column?.["width%"] === "number" ? column["width%"] : null));
  const left = Math.max(0, 100 - own.reduce((total, width) => total + (width ?? 0), 0));
  const open = own.filter((width) => width === null).length;
  return own.map((width) => `${width ?? left / open}%`);
}
