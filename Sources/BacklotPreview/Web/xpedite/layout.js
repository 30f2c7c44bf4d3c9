// Where components stand (Xpedite reference, Size specification): one below the other, unless their size says otherwise. Lengths
// are logical pixels, or parts of the screen or of what is left.

/** The space between two components that say nothing about it, in pixels. */
const GAP = 10;
/** The space at both sides of a component that says nothing about its place and its width, in pixels. Positions count from the edge of the screen. */
const MARGIN = 16;

/** Places the children of an element, and makes it as high as they need. Percentages are parts of the screen, or of what is left of the element. */
export function arrange(place, screen, margin = MARGIN) {
  const width = place.clientWidth;
  if (width === 0) return;
  const screenHeight = screen.height;
  const previous = { right: 0, bottom: -GAP, top: 0, left: 0 };
  let lowest = 0;
  for (const child of place.children) {
    const size = sizeOf(child);
    const isFree = isFreeAcross(size);
    const x = isFree ? margin : horizontal(size, screen.width, previous);
    const isBeside = size["x+"] !== undefined && vertical(size, screenHeight, previous) === null;
    const y = vertical(size, screenHeight, previous) ?? (isBeside ? previous.top : Math.max(lowest, previous.bottom) + GAP);
    const w = extent(size, "width", screen.width, width - (x ?? 0));
    const h = extent(size, "height", screenHeight, screenHeight - y);
    child.style.setProperty("width", `${Math.max(0, w ?? width - (x ?? 0) - (isFree ? margin : 0))}px`);
    if (h === null) child.style.removeProperty("height");
    else child.style.setProperty("height", `${Math.max(0, h)}px`);
    for (const inner of child.querySelectorAll(":scope > .components")) arrange(inner, screen, 0);
    const ownWidth = child.offsetWidth;
    const ownHeight = child.offsetHeight;
    const left = x ?? (isCentred(size, "x") ? (width - ownWidth) / 2 : 0);
    const top = isCentred(size, "y") ? Math.max(0, (screenHeight - ownHeight) / 2) : y;
    child.style.setProperty("left", `${left}px`);
    child.style.setProperty("top", `${top}px`);
    Object.assign(previous, { left, right: left + ownWidth, top, bottom: top + ownHeight });
    lowest = Math.max(lowest, previous.bottom);
  }
  place.style.setProperty("height", `${lowest}px`);
}

function sizeOf(element) {
  try {
    const size = JSON.parse(element.dataset.size ?? "{}");
    return size !== null && typeof size === "object" ? size : {};
  } catch {
    return {};
  }
}

const number = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
const part = (value, whole) => (number(value) === null ? null : (value / 100) * whole);

function extent(size, name, screen, left) {
  return number(size[name]) ?? part(size[`${name}%`], screen) ?? part(size[`relative-${name}%`], Math.max(0, left));
}

/** Whether a size says nothing about a place or a width. */
function isFreeAcross(size) {
  const keys = ["x", "x%", "x+", "width", "width%", "relative-width%"];
  return !isCentred(size, "x") && keys.every((key) => number(size[key]) === null);
}

function horizontal(size, width, previous) {
  if (isCentred(size, "x")) return null;
  return number(size.x) ?? part(size["x%"], width) ?? (number(size["x+"]) === null ? 0 : previous.right + size["x+"]);
}

function vertical(size, height, previous) {
  return number(size.y) ?? part(size["y%"], height) ?? (number(size["y+"]) === null ? null : previous.bottom + size["y+"]);
}

function isCentred(size, axis) {
  return [`centre${axis}`, `center${axis}`, `center-${axis}`, `centre-${axis}`].some((key) => Object.hasOwn(size, key));
}
