// Mock routes without a phone: their list, with a form to try each, and the last requests. A request without a route shows the nearest routes.

import { el, fill } from "../core/element.js";
import { RouteList } from "./routes.js";
import { Requests } from "./requests.js";

export function start(host) {
  const routes = new RouteList(host);
  const requests = new Requests(host);
  const filter = el("input", { type: "search", "aria-label": "Filter", placeholder: "Filter", on: { input: () => routes.filter(filter.value) } });
  const token = el("input", { type: "password", "aria-label": "The token of /__admin", placeholder: "token of /__admin", autocomplete: "off", hidden: true, on: { change: () => enter() } });
  const network = host.phone.controls.querySelector("[data-choice=network]")?.closest(".control");
  host.phone.element.setAttribute("aria-label", "Routes");
  host.phone.element.classList.add("mocks");
  fill(host.phone.element, el("header", {}, el("h1", { text: "Mock routes" }), filter, token, network), host.screen);
  fill(host.screen, routes.element, requests.element);
  const draw = async () => {
    try {
      await routes.read();
      await requests.read();
      token.hidden = true;
    } catch (error) {
      token.hidden = false;
      host.problem(`The mocks can't be asked: ${error.message}.`);
    }
    host.shown({ path: host.basePath, title: "Mock routes" });
  };
  const enter = () => {
    host.backend.adminToken = token.value;
    return draw();
  };
  let timer = null;
  for (const event of ["add", "change"]) host.exchanges.addEventListener(event, () => {
    clearTimeout(timer);
    timer = setTimeout(() => requests.read().catch(() => {}), 300);
  });
  return {
    panels: ["Log", "Editor", "State", "Faults"],
    get file() {
      return routes.file;
    },
    fields: () => routes.fields,
    launch: draw,
    refresh: (reason) => {
      host.problem(reason);
      return draw();
    },
  };
}
