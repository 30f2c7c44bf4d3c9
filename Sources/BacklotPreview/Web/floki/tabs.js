import { el, icon } from "../core/element.js";

/** The most tabs in a bar; with more, the last place leads to the others. */
const MOST = 5;

/** The bar of the tabs. */
export function drawTabs({ client }) {
  const all = client.tabs.map((tab, index) => ({ tab, index }));
  const hasMore = all.length > MOST;
  const [inBar, others] = hasMore ? [all.slice(0, MOST - 1), all.slice(MOST - 1)] : [all, []];
  const bar = el("div", { class: "tab-bar", role: "tablist", "aria-label": "Tabs", on: { keydown: walk } }, inBar.map(({ tab, index }) => tabButton(client, tab, index)));
  if (hasMore) bar.append(moreButton(client, others));
  return bar;
}

/** The arrows go from tab to tab. */
function walk(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by || event.target.getAttribute("role") !== "tab") return;
  const tabs = [...event.currentTarget.querySelectorAll("[role=tab]")];
  const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
  tabs.at((tabs.indexOf(event.target) + (isMirrored ? -by : by)) % tabs.length).focus();
}

function tabButton(client, tab, index) {
  const title = client.shortTitle(tab);
  return el("button", {
    type: "button", role: "tab", "data-key": `tab-${index}`, "aria-selected": String(index === client.tab), "aria-label": title === "" ? `Tab ${index + 1}` : null,
    "data-pointer": client.view?.feed ? null : tab.pointer, on: { click: () => client.showTab(index) },
  }, picture(tab.tab_image), el("span", { class: "main", dir: "auto", text: title }));
}

/** Of a tab's picture only the opacity counts: it is a mask. */
function picture(base64) {
  const place = el("span", { class: "tab-image" });
  if (typeof base64 === "string" && /^[A-Za-z0-9+/=]+$/.test(base64)) place.style.setProperty("mask-image", `url("data:image/png;base64,${base64}")`);
  else place.classList.add("empty");
  return place;
}

function moreButton(client, others) {
  const chosen = others.find(({ index }) => index === client.tab);
  const select = el("select", { "data-key": "more-tabs", "aria-label": "More tabs", on: { change: () => select.value !== "" && client.showTab(Number(select.value)) } },
    el("option", { value: "", text: "More" }), others.map(({ tab, index }) => el("option", { value: String(index), text: client.title(tab) || `Tab ${index + 1}` })));
  select.value = chosen ? String(chosen.index) : "";
  return el("label", { class: chosen ? "more-tabs chosen" : "more-tabs" }, icon("menu"), select);
}
