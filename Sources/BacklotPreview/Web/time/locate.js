// The place of an action on a page, so that it can be found on the later page.

import { isControl, nameOf } from "../access/speech.js";

const TARGETS = "button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=switch]";

/** A person's action, read from an event on the screen, or null. */
export function actionOf(event, screen) {
  const target = event.target.closest?.(TARGETS);
  if (!target || event.defaultPrevented || !screen.contains(target)) return null;
  const isText = target.matches("textarea, input:not([type=checkbox], [type=radio], [type=button], [type=file])");
  const place = { pointer: pointerOf(target), tag: target.tagName, name: textOn(target), number: 0 };
  place.number = likeIt(screen, place).filter((one) => textOn(one) === place.name).indexOf(target);
  if (event.type === "input") return isText ? { do: "enter", value: target.value, ...place } : null;
  if (event.type === "change") {
    if (target.type === "file") return { do: "file", ...place };
    return target.tagName === "SELECT" ? { do: "choose", value: target.value, text: target.selectedOptions[0]?.text ?? "", ...place } : null;
  }
  return isText || target.tagName === "SELECT" || target.type === "file" ? null : { do: "tap", ...place };
}

/** An action in words. */
export function wordsOf(action) {
  const name = action.name === "" ? "something without a name" : `“${action.name.slice(0, 80)}”`;
  switch (action.do) {
    case "enter": return `Enter “${action.isSecret ? "•".repeat(action.value.length) : action.value.slice(0, 80)}” into ${name}`;
    case "choose": return `Choose “${action.text.slice(0, 80)}” from ${name}`;
    case "file": return `Choose a file for ${name}`;
    default: return `Tap ${name}`;
  }
}

/** The element of an action on the current page, or null. What stands in front comes first. Numbers in its
 * text may have changed. */
export function find(action, screen) {
  const all = likeIt(screen.querySelector(".layer") ?? screen, action);
  const isThere = (one) => pointerOf(one) === action.pointer;
  const isSame = (one) => textOn(one) === action.name;
  // Rows that one part of the page stands for have the same place.
  const same = all.filter(isSame);
  const numbered = same[action.number];
  return (numbered && isThere(numbered) ? numbered : same.find(isThere)) ?? numbered ?? same[0] ?? all.find(isThere) ?? all[0] ?? null;
}

function likeIt(root, { tag, name }) {
  const plain = (text) => text.replace(/\d+/g, "0");
  return [...root.querySelectorAll(tag.toLowerCase())].filter((one) => (isControl(one) || one.tagName === "SUMMARY") && plain(textOn(one)) === plain(name));
}

/** The text of a control, without what stands beside it, such as a badge. */
function textOn(element) {
  return element.querySelector(".main")?.textContent.trim() || nameOf(element);
}

function pointerOf(element) {
  return element.closest("[data-pointer]")?.dataset.pointer ?? null;
}
