// Opens the page on a phone: links, and QR codes of them.

import { el, fill } from "../core/element.js";

const SVG = "http://www.w3.org/2000/svg";

export class LinkPanel {
  constructor(host) {
    this.title = "Phone";
    this.host = host;
    this.links = el("div", { class: "links" });
    this.machine = el("select", { "aria-label": "The machine's address" });
    this.machine.addEventListener("change", () => this.drawLinks());
    this.hint = el("p", { class: "note" });
    this.element = el("div", { class: "panel" }, el("div", { class: "panel-tools" }, el("label", {}, "This machine is ", this.machine)), this.hint, this.links);
  }

  async draw() {
    if (this.machine.options.length === 0) await this.ask();
    this.drawLinks();
  }

  async ask() {
    let hosts = [];
    try {
      ({ hosts } = await this.host.backend.machine());
    } catch {
      // Then only the address of this window is known.
    }
    const port = location.port ? `:${location.port}` : "";
    fill(this.machine, [...hosts.map((one) => one + port), location.host].map((one) => el("option", { value: one, text: one })));
    // A phone can't come to a machine that listens to itself alone.
    this.isReachable = hosts.length > 0 || !/^(localhost|127\.|\[::1\])/.test(location.host);
    this.hint.textContent = this.isReachable
      ? "Your phone must be in the same network."
      : "No phone reaches this server: it listens to this machine alone. Start it with --host 0.0.0.0, --tls-self-signed and --admin-token, and open /__preview/enter?token=… here.";
  }

  drawLinks() {
    const links = this.host.app?.links(`${location.protocol}//${this.machine.value || location.host}`) ?? [];
    fill(this.links, links.map(({ label, url }) => el("figure", {}, this.isReachable ? this.drawing(url) : null, el("figcaption", {}, el("strong", { text: label }), el("code", { text: url }),
      el("button", { type: "button", text: "Copy", on: { click: () => this.host.copy(url) } })))));
  }

  /** The QR code of a text, which is drawn as soon as the server has made it. */
  drawing(text) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "qr");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `QR code of ${text}`);
    svg.setAttribute("shape-rendering", "crispEdges");
    this.host.backend.qr(text).then((rows) => {
      const size = rows.length + 8;
      svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", rows.map((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : "")).join("")).join(""));
      svg.append(path);
    }, () => svg.replaceWith(el("p", { class: "none", text: "There is no QR code of this link: it is too long, or the server can't be reached." })));
    return svg;
  }
}
