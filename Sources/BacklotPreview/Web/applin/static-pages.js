// The pages that a client makes itself; the server is never asked for them.

import { Page } from "./page.js";

const page = (title, widgets, more = {}) =>
  new Page({ page: { typ: "nav_page", title, ...more, widget: { typ: "scroll", pull_to_refresh: false, widget: { typ: "form", widgets } } } }, null);

const error = (text) => [
  { typ: "error_text", text },
  { typ: "form_button", text: "Error Details", actions: ["push:/error_details"] },
  { typ: "form_button", text: "Support", actions: ["push:/support"] },
];

const ephemeral = { ephemeral: true };

/** The placeholder for a page that isn't loaded yet. It polls, so that it is replaced. */
export const placeholder = page("Page Not Loaded", [{ typ: "form_button", text: "Load Page", actions: ["poll"] }], { poll_seconds: 30 });

const pages = {
  "/applin_user_error": page("Problem", [{ typ: "error_text", text: "${INTERACTIVE_ERROR_DETAILS}" }], ephemeral),
  "/applin_app_error": page("Error", error("There is an error in this app."), ephemeral),
  "/applin_server_error": page("Error", error("The server could not answer."), ephemeral),
  "/applin_network_error": page("Connection Problem", error("The server can't be reached."), ephemeral),
  "/applin_page_not_loaded": placeholder,
  "/applin_state_load_error": page("Connect", [{ typ: "form_button", text: "Connect", actions: ["poll"] }], ephemeral),
  "/error_details": page("Error Details", [{ typ: "last_error_text" }], ephemeral),
  "/server_status": page("Server Status", [{ typ: "text", text: "Nothing is known." }]),
  "/support": page("Support", [{ typ: "text", text: "There is nobody to ask." }]),
};

/** The static page at a path; undefined if the server has the page. */
export function staticPage(path) {
  return Object.hasOwn(pages, path) ? pages[path] : undefined;
}

/** The page that shows a kind of error. */
export function errorPath(kind) {
  return `/applin_${kind}_error`;
}
