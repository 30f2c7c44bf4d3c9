// How a client treats responses.

import { Page } from "./page.js";
import { rejection } from "./versions.js";

export const PAGE_TYPE = "application/vnd.applin_response";
/** The most characters of an error's text that clients show. */
const SHOWN = 1000;
/** The names of the statuses with texts for users. */
const REASONS = { 403: " Forbidden", 422: " Unprocessable Entity" };

/** An error as the client shows it: `kind` is user, app, server or network. */
export class ShownError extends Error {
  constructor(kind, text) {
    super(text);
    this.kind = kind;
  }
}

/** Throws the error of a response, if it has one. */
export function checkStatus(response, path) {
  if (response.failure) throw new ShownError("network", response.failure);
  const { status } = response;
  if (status >= 200 && status < 300) return;
  // Without a text, clients show the status.
  const text = [...(response.text || `server returned: ${status}${REASONS[status] ?? ""}`)].slice(0, SHOWN).join("");
  if (response.text === null) throw new ShownError("server", `The answer for ${path} is not UTF-8, which crashes clients.`);
  if (status === 403 || status === 422) throw new ShownError("user", text);
  if (status >= 400 && status < 500) throw new ShownError("app", text);
  if (status === 503) throw new ShownError("server", "The server has too much to do. Please try again.");
  throw new ShownError("server", `The server answered ${status} for ${path}.`);
}

/**
 * Reads the page in a response.
 *
 * `findings` are what the rules say of it, or null where nobody knows. `client` has the release that reads it, as `version`, and as
 * `chosen` where a person has chosen it: the rules speak of the newest.
 */
export function readPage(response, findings, client) {
  if (response.bytes === 0) throw new ShownError("server", "The answer to a request for a page has no body.");
  if (response.type !== PAGE_TYPE) {
    throw new ShownError("server", `Clients read no body but ${PAGE_TYPE}, and this one is ${response.type || "of no type"}.`);
  }
  if (response.text === null) throw new ShownError("server", "The body is not UTF-8, which crashes clients.");
  const rejecting = findings?.find((finding) => finding.rejects);
  if (rejecting) throw new ShownError("server", rejecting.message);
  let document;
  try {
    document = JSON.parse(response.text);
  } catch (error) {
    throw new ShownError("server", `The body can't be read as JSON: ${error.message}.`);
  }
  // Without the rules at least the outermost must be right; what is inside is drawn with care.
  if (!["nav_page", "plain_page"].includes(document?.page?.typ)) {
    throw new ShownError("server", "Clients read an object with a page under \"page\".");
  }
  const page = new Page(document, response.text, client.chosen ?? (client.dialect ? client.version : null));
  const reason = client.chosen && rejection(page, client.chosen);
  if (reason) throw new ShownError("server", reason);
  return page;
}

/** How a client treats the response to an rpc: a body must be a page, which is then ignored. */
export function checkRPC(response, path, findings, client) {
  checkStatus(response, path);
  if (response.bytes > 0) readPage(response, findings, client);
}
