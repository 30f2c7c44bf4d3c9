// A page as Swift, which the server writes.

import { showToCopy } from "./clipboard.js";

/** The most omissions that are listed. */
const TOLD = 5;

/** Copies a page in JSON as Swift. Returns what to say about it. Throws where no code makes such a page. */
export async function copySwift(host, json) {
  const { swift, omissions } = await host.backend.swift(json);
  const isCopied = await host.copy(swift);
  if (!isCopied) showToCopy(swift, "The page in Swift");
  const lines = swift.trimEnd().split("\n").length;
  const said = isCopied ? `The Swift is copied: ${lines} ${lines === 1 ? "line" : "lines"}.` : "The Swift is shown, to be copied by hand.";
  if (omissions.length === 0) return said;
  const more = omissions.length > TOLD ? `; and ${omissions.length - TOLD} more, as its comments say` : "";
  return `${said} Not in it: ${omissions.slice(0, TOLD).join("; ")}${more}.`;
}
