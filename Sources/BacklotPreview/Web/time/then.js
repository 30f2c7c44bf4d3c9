// Shows the phone at a past moment, in front of the current phone.

import { el, fill, icon } from "../core/element.js";

export class Then {
  constructor(host) {
    this.host = host;
    this.onNow = () => {};
    this.words = el("span", {});
    this.bar = el("div", { class: "then-bar", role: "status", hidden: true }, this.words, el("button", { type: "button", on: { click: () => this.now() } }, icon("play"), "Back to now"));
    host.phone.stage.before(this.bar);
    this.layer = null;
  }

  show({ time, picture }) {
    const { phone, screen } = this.host;
    this.layer?.remove();
    this.layer = el("div", { class: "app then", "aria-label": "The phone as it was", inert: true });
    if (picture.copy) this.layer.append(...picture.copy.cloneNode(true).childNodes);
    else this.layer.append(el("p", { class: "nothing", text: "How the phone looked then is no longer kept: too much has happened since." }));
    copyFields(picture.copy, this.layer);
    for (const one of this.layer.querySelectorAll(".from-end, .from-start")) one.classList.remove("from-end", "from-start");
    for (const one of this.layer.querySelectorAll("[id]")) one.removeAttribute("id");
    // Radio buttons of one name have one choice between them, which is the phone's.
    for (const one of this.layer.querySelectorAll("[type=radio]")) one.removeAttribute("name");
    phone.glass.append(this.layer);
    for (const [index, one] of [...this.layer.querySelectorAll(".scroll, .body, [data-scrolls]")].entries()) one.scrollTop = picture.scrolls[index] ?? 0;
    this.host.app?.arrange?.(this.layer);
    screen.inert = true;
    this.bar.hidden = false;
    fill(this.words, `As it was at ${time.toLocaleTimeString()}`);
    const { view, variables, session } = picture;
    this.host.look({ view, variables, session, screen: this.layer });
  }

  now() {
    if (!this.layer) return;
    this.layer.remove();
    this.layer = null;
    this.host.screen.inert = false;
    this.bar.hidden = true;
    this.host.look(null);
    this.onNow();
  }
}

/** The copies don't contain the values of fields. */
function copyFields(from, to) {
  if (!from) return;
  const fields = (root) => [...root.querySelectorAll("input, textarea, select")];
  const copies = fields(to);
  for (const [index, field] of fields(from).entries()) {
    if (field.type !== "file") copies[index].value = field.value;
    copies[index].checked = field.checked;
  }
}
