import { el, icon } from "../../core/element.js";
import { ownPath } from "../urls.js";

/** The width of a page that says nothing about it, on a phone that scales it. */
const WIDE = 980;

/** A page of HTML. */
export function drawWeb(view, context) {
  return drawPage(view, ownPath(view.url), context);
}

/**
 * A page in a separate frame. Its scripts don't run, so it can reach nothing; but what it says can be looked at from here, and
 * so a link on it does what it does on a phone.
 */
export function drawPage(view, path, { client, host }) {
  if (path === null) {
    return el("div", { class: "elsewhere" }, el("p", { text: "A phone shows this page here; preview asks no other host." }), el("button", { type: "button", class: "more", text: view.url, on: { click: () => host.open(view.url) } }));
  }
  const frame = el("iframe", { class: "web", sandbox: "allow-same-origin", title: view.title || "A page", src: path, referrerpolicy: "no-referrer" });
  const fail = (why) => {
    host.problem(`The page ${path} can't be shown: ${why}.`);
    frame.replaceWith(el("div", { class: "failure", role: "alert" }, icon("alert"), el("p", { text: "The page can't be shown." }), el("p", { class: "why", text: why }),
      el("button", { type: "button", text: "Try again", on: { click: () => client.reload() } })));
  };
  frame.addEventListener("load", () => {
    const page = frame.contentDocument;
    if (!page) return fail("the server can't be reached");
    const status = frame.contentWindow.performance.getEntriesByType("navigation")[0]?.responseStatus ?? 200;
    if (status !== 0 && (status < 200 || status > 299)) return fail(`the server answered ${status}`);
    // If pages may scale, one without a declared width is laid out for a computer's screen and scaled to fit.
    if (view.data.scales_page_to_fit === true && !page.querySelector("meta[name=viewport]")) page.documentElement.style.zoom = String(frame.clientWidth / WIDE);
    page.addEventListener("click", (event) => tapped(event, page, client), true);
  });
  return frame;
}

function tapped(event, page, client) {
  const link = event.target.closest?.("a[href]");
  if (!link) return;
  // A link within the page is the page's own.
  if (link.hash && link.href.split("#")[0] === page.URL.split("#")[0]) return;
  event.preventDefault();
  client.follow(link.href);
}
