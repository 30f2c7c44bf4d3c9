// Findings about a drawn page: obstacles for people who use it.

import { Contrast } from "./contrast.js";

/** The least sizes of what is tapped, in points, and where they are from. */
const TARGETS = { iOS: [44, "Apple's Human Interface Guidelines"], Android: [48, "Android's guide to accessibility"] };
/** The most reports of one rule. */
const MOST_PER_RULE = 25;
/** The largest text size that the phone can be set to. */
const LARGEST = 2;

/**
 * The findings about what is spoken: `{rule, severity, message, fix, pointer, element}`.
 *
 * `parts` are those of `spoken()`, `phone` is the phone, and `document` is the page's JSON.
 */
export function accessFindings(parts, phone, document) {
  const found = [];
  const counts = new Map();
  const add = (element, rule, severity, message, fix) => {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    if (count <= MOST_PER_RULE) found.push({ element, pointer: pointerOf(element), rule, severity, message, fix });
    else if (count === MOST_PER_RULE + 1) found.push({ element, pointer: pointerOf(element), rule, severity, message: "There are more of these.", fix: "" });
  };
  names(parts, add);
  doubles(parts, document, add);
  targets(parts, phone, add);
  contrasts(parts, add);
  cutTexts(parts, phone, add);
  return found.sort((one, other) => Number(other.severity === "error") - Number(one.severity === "error"));
}

export function pointerOf(element) {
  return element.closest("[data-pointer]")?.dataset.pointer ?? null;
}

function names(parts, add) {
  for (const { element, role, name, isControl } of parts) {
    if (isControl && (name === "" || hasNoVisibleName(element))) {
      add(element, "nameless-control", "error", `A ${role} has no name, so a screen reader says only “${role}”.`, "Give it a text or a label.");
    } else if (isControl && !/[\p{L}\p{N}]/u.test(name)) {
      add(element, "nameless-control", "warning", `The name of a ${role} is “${name}”, which has no words.`, "Say in words what it does.");
    }
    // No protocol has alternative texts: a name is one that preview gives.
    if (role === "picture" && element.matches(".picture")) {
      add(element, "picture-without-text", "warning", "A picture has no text in its place, so people who don't see it miss what it shows.", "Say what it shows in a text beside it, or leave out a picture that only adorns.");
    }
  }
}

/** Clients of preview name a field without a label by its variable. Phones don't. */
function hasNoVisibleName(element) {
  if (!element.matches("input:not([type=checkbox]), textarea, select") || element.placeholder) return false;
  const label = element.closest("label.textfield, label.selector");
  return label !== null && !label.querySelector(".label");
}

function doubles(parts, document, add) {
  const known = new Map();
  for (const [index, { element, role, name, isControl }] of parts.entries()) {
    if (!isControl || name === "") continue;
    const before = parts[index - 1];
    if (before?.role === "text" && before.name === name) {
      add(before.element, "said-twice", "warning", `“${name.slice(0, 80)}” is said twice: as a text, and as the name of the ${role} after it.`, "Leave out the text, or let it say more.");
    }
    const key = `${role} ${name}`;
    const other = known.get(key);
    if (other && JSON.stringify(partAt(document, pointerOf(element))) !== other.part) {
      add(element, "doubled-label", "warning", `Two ${role}s are named “${name.slice(0, 80)}” and do different things.`, "Name each by what it does, such as “Delete the photo”.");
    } else if (!other) known.set(key, { part: JSON.stringify(partAt(document, pointerOf(element))) });
  }
}

function partAt(document, pointer) {
  if (pointer === null) return null;
  return pointer.split("/").slice(1).reduce((node, step) => node?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], document) ?? null;
}

function targets(parts, phone, add) {
  const platform = phone.value("platform");
  const [least, source] = TARGETS[platform];
  const scale = phone.glass.getBoundingClientRect().width / phone.size[0] || 1;
  for (const { element, role, name, isControl } of parts) {
    if (!isControl || role === "link" || element.disabled) continue;
    // A label is tapped as its field is.
    const box = (element.closest("label") ?? element).getBoundingClientRect();
    const [width, height] = [box.width / scale, box.height / scale].map((side) => Math.round(side));
    if (box.width === 0 || (width >= least - 1 && height >= least - 1)) continue;
    const isTiny = Math.min(width, height) < 24;
    add(element, "small-target", isTiny ? "error" : "warning", `The ${role} “${name.slice(0, 60)}” is ${width} × ${height} points as preview draws it; ${source} asks for ${least} × ${least}.`, "Give it more text or room, or use a widget that fills its row.");
  }
}

function contrasts(parts, add) {
  const contrast = new Contrast();
  for (const part of parts) {
    if (part.element.disabled || part.role === "picture" || part.role === "web page" || part.role === "film") continue;
    for (const element of textElements(part.element)) {
      const style = getComputedStyle(element);
      const size = parseFloat(style.fontSize);
      const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      const ratio = contrast.ratio(element);
      if (ratio === null || ratio >= least - 0.005) continue;
      const text = element.textContent.trim().slice(0, 60);
      add(element, "low-contrast", ratio < 3 ? "error" : "warning", `The contrast of “${text}” is ${ratio.toFixed(1)} to 1, less than ${least} to 1.`, "Choose a darker or a lighter colour (WCAG 2.2, 1.4.3).");
    }
  }
}

/** The elements with text directly inside them. */
function textElements(root) {
  const found = new Set();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.data.trim() !== "" && !walker.currentNode.parentElement.closest("option, [aria-hidden=true]")) found.add(walker.currentNode.parentElement);
  return found;
}

/** Draws the page at the largest text size for a moment that no person sees. */
function cutTexts(parts, phone, add) {
  const before = phone.frame.style.getPropertyValue("--text");
  phone.frame.style.setProperty("--text", String(LARGEST));
  const screen = phone.glass.getBoundingClientRect();
  const cut = [];
  for (const { element } of parts) {
    for (const one of textElements(element)) {
      const how = cutOf(one, screen);
      if (how) cut.push([one, how]);
    }
  }
  phone.frame.style.setProperty("--text", before);
  for (const [element, how] of cut) {
    add(element, "cut-text", "warning", `“${element.textContent.trim().slice(0, 60)}” ${how} at the largest text size.`, "Use a shorter text, or a widget in which texts may wrap.");
  }
}

function cutOf(element, screen) {
  for (let one = element; one && !one.classList.contains("app"); one = one.parentElement) {
    const style = getComputedStyle(one);
    const isClipped = (side) => ["hidden", "clip"].includes(side);
    if (isClipped(style.overflowX) && one.scrollWidth > one.clientWidth + 2) return "is cut at its side";
    if (isClipped(style.overflowY) && one.scrollHeight > one.clientHeight + 4) return "is cut below";
    // Content that scrolls is not cut.
    if (/auto|scroll/.test(style.overflowX + style.overflowY)) return null;
    if (one !== element && one.matches("button, p, label, li, .row")) break;
  }
  const box = element.getBoundingClientRect();
  return box.right > screen.right + 2 || box.left < screen.left - 2 ? "leaves the screen" : null;
}
