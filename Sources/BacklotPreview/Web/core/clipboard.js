// The browser's clipboard, and what to do where it is closed.

import { el } from "./element.js";

/** Copies a text. Returns false where the browser doesn't let preview do it. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** The older way, which works on pages that come over the network without TLS, too. */
function copySelected(text) {
  const before = document.activeElement;
  const area = el("textarea", { class: "copied", readonly: true, "aria-hidden": "true", tabindex: "-1" });
  area.value = text;
  document.body.append(area);
  area.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand("copy");
  } catch {
    // The caller reports it.
  }
  area.remove();
  before?.focus?.();
  return isCopied;
}

/** Shows a text that a person copies by hand. */
export function showToCopy(text, title) {
  const area = el("textarea", { readonly: true, "aria-label": title, spellcheck: "false", wrap: "off" });
  const close = el("button", { type: "button", text: "Close", on: { click: () => dialog.close() } });
  const dialog = el("dialog", { class: "to-copy", "aria-label": title },
    el("p", { text: "The browser doesn't let preview write to its clipboard. The text is selected: copy it by hand." }), area, close);
  area.value = text;
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  area.focus();
  area.select();
  area.scrollTop = 0;
}
