// The texts below an element that can't be read easily: whose contrast with what is behind them is below 4.5 (WCAG 2.2, 1.4.3).
// Those on pictures and movies aren't judged, nor those in colours of the app: a section's usual ones are those of Floki's reference.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const known = new Map();
const rgba = (color) => {
  if (!known.has(color)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    known.set(color, [r, g, b, a / 255]);
  }
  return known.get(color);
};
const over = ([r, g, b, a], below) => [r, g, b].map((one, index) => one * a + below[index] * (1 - a));
const luminance = (color) => {
  const [r, g, b] = color.map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};
/** What is behind a text, and how opaque it is; null on a picture. */
const ground = (element) => {
  const line = [];
  for (let one = element; one; one = one.parentElement) line.unshift(one);
  let [below, opacity] = [[255, 255, 255], 1];
  for (const one of line) {
    const style = getComputedStyle(one);
    if (style.backgroundImage !== "none") return null;
    opacity *= Number(style.opacity);
    const [r, g, b, a] = rgba(style.backgroundColor);
    if (a > 0) below = over([r, g, b, a * opacity], below);
  }
  return { below, opacity };
};
const found = [];
const judge = (element, text, color) => {
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  if (text === "" || box.width * box.height === 0 || style.visibility === "hidden" || !element.checkVisibility({ opacityProperty: true })) return;
  const behind = ground(element);
  if (!behind) return;
  const [r, g, b, a] = rgba(color);
  const ratio = contrast(over([r, g, b, a * behind.opacity], behind.below), behind.below);
  if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.tagName.toLowerCase()}.${element.className} "${text.slice(0, 30)}"`);
};
for (const element of document.querySelector(arguments[0]).querySelectorAll("*")) {
  if (element.closest("svg, select > option, video, iframe, .status-bar, .section-head")) continue;
  const { color } = getComputedStyle(element);
  const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()).join("");
  judge(element, element.matches("select") ? element.value : element.matches("input, textarea") ? element.value : own, color);
  if (element.placeholder) judge(element, element.placeholder, getComputedStyle(element, "::placeholder").color);
}
return [...new Set(found)];
