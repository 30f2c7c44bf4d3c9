// The network between this phone and the server. Each of its requests asks for it; pictures, which the browser asks for itself, come
// as fast as they can.

import { el } from "../core/element.js";
import { control } from "./controls.js";

const MEANINGS = {
  online: "As fast as it goes", offline: "No request comes to the server",
};

/** The control. `networks` are the profiles that the server knows: `{name, downlink, uplink, latency, jitter, loss, cuts}`. */
export function networkControl(exchanges, networks) {
  const select = el("select", { "aria-label": "Network", "data-choice": "network" },
    networks.map((one) => el("option", { value: one.name, text: one.name, title: meaning(one) })));
  const field = control("Network", "signal", select);
  const show = () => {
    select.title = meaning(networks.find(({ name }) => name === select.value));
    field.title = select.title;
    field.classList.toggle("limited", select.value !== "online");
  };
  select.addEventListener("change", () => {
    exchanges.network = select.value === "online" ? null : select.value;
    show();
  });
  show();
  return field;
}

function meaning({ name, downlink, uplink, latency, jitter, loss, cuts }) {
  const parts = [
    downlink && `${kilobytes(downlink)} down`, uplink && `${kilobytes(uplink)} up`, latency && `${latency} ms for a round trip`, jitter && `${jitter} ms more or less`,
    loss && `${loss} % of the pieces are lost`, cuts && `${cuts} % of the requests or their answers are lost`,
  ].filter(Boolean);
  return MEANINGS[name] ?? parts.join(", ");
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000).toLocaleString("en")} KB/s`;
}
