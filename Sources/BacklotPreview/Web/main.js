// Reads what the server has said about the app, starts its client, and shows the phone and the view inside.
//
// A protocol is a folder with an index.js that exports `start(host)`, and a style sheet of the folder's name; see host.js.

import { Backend } from "./core/backend.js";
import { readClock } from "./core/clock.js";
import { Exchanges } from "./core/exchange.js";
import { el, fill, icon } from "./core/element.js";
import { listen } from "./core/live.js";
import { Memory } from "./core/memory.js";
import { Host } from "./host.js";
import { Inside } from "./inside/inside.js";
import { NoMemory, askedLook, hold, pose } from "./wall/picture.js";
import { Wall } from "./wall/wall.js";
import { divider } from "./phone/divider.js";
import { networkControl } from "./phone/network.js";
import { Phone } from "./phone/phone.js";
import { sharedText } from "./editor/share.js";

const protocols = {
  a2ui: () => import("./a2ui/index.js"),
  applin: () => import("./applin/index.js"),
  "dynamic-views": () => import("./dynamic-views/index.js"),
  floki: () => import("./floki/index.js"),
  mocks: () => import("./mocks/index.js"),
  xpedite: () => import("./xpedite/index.js"),
};

async function begin() {
  const facts = JSON.parse(document.querySelector("meta[name=backlot-preview]").content);
  const look = askedLook();
  const memory = look ? new NoMemory() : new Memory(`${facts.wire}:${facts.basePath}`);
  const backend = new Backend(facts);
  const exchanges = new Exchanges();
  const phone = new Phone(look ? new NoMemory({ ...look, zoom: "1" }) : new Memory("phone"), exchanges);
  const host = new Host({ facts, memory, backend, exchanges, phone });
  const inside = new Inside(host);
  const broken = el("div", { class: "broken", role: "alert", hidden: true });
  inside.element.prepend(broken);
  if (look) {
    pose(host);
    await readClock(host);
    host.app = (await protocols[facts.wire]()).start(host);
    await host.app.launch();
    return hold(host, look);
  }
  const shell = new Memory("shell");
  phone.controls.append(networkControl(exchanges, facts.networks));
  const between = divider(phone, shell);
  const wall = new Wall(host, shell);
  inside.tools.prepend(wall.button);
  document.body.append(el("main", { class: "shell" }, phone.element, between.element, inside.element, wall.element));
  between.apply();
  const load = protocols[facts.wire];
  if (!load) {
    phone.screen.append(el("p", { class: "nothing", text: `Preview has no client for ${facts.wire} yet. The log shows what other clients do.` }));
  } else {
    await readClock(host);
    host.app = (await load()).start(host);
    inside.offer(host.app);
    await host.app.launch();
    if (shell.get("wall")) wall.show(true);
  }
  await openShared(host, inside);
  let instance = null;
  listen(backend, {
    connected: (isConnected) => inside.setConnected(isConnected),
    hello: (event) => {
      if (instance && instance !== event.instance) refresh(host, "The server was started again.");
      instance = event.instance;
    },
    broken: ({ problems }) => {
      broken.hidden = !problems.length;
      fill(broken, icon("alert"), el("div", {}, el("strong", { text: "Mock files can't be read. Clients get the last version of each that was in order; a new file isn't served." }),
        el("ul", {}, problems.map((text) => el("li", { text })))));
    },
    changed: () => refresh(host, "The server has changed."),
    exchange: (event) => exchanges.hear(event),
    transfer: (event) => exchanges.hearEnd(event),
  });
}

/** Shows what the server has now, and tells the others. */
async function refresh(host, reason) {
  await readClock(host);
  await host.app?.refresh(reason);
  host.dispatchEvent(new Event("changed"));
}

/** Opens the text that the address holds in the editor. */
async function openShared(host, inside) {
  try {
    const text = await sharedText();
    if (text === null) return;
    // A reload shows what has been made of it.
    history.replaceState(null, "", location.pathname + location.search);
    inside.edit(text);
  } catch (error) {
    host.problem(`The text in the address can't be read: ${error.message}.`);
  }
}

begin();
