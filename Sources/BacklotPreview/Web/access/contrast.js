// The contrast of a text with its background (WCAG 2.2, "contrast ratio").

/** Measures contrasts. It keeps its results for each element, so each inspection of a page makes a new one. */
export class Contrast {
  constructor() {
    this.context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
    this.colors = new Map();
    this.grounds = new Map();
  }

  /** The ratio of an element's text, from 1 to 21; null where a picture is behind it. */
  ratio(element) {
    const ground = this.ground(element);
    if (!ground) return null;
    const front = over(this.parts(getComputedStyle(element).color), ground);
    const [less, more] = [luminance(front), luminance(ground)].sort((left, right) => left - right);
    return (more + 0.05) / (less + 0.05);
  }

  /** The colour behind an element's text. */
  ground(element) {
    if (!element) return [255, 255, 255];
    if (this.grounds.has(element)) return this.grounds.get(element);
    const style = getComputedStyle(element);
    const own = this.parts(style.backgroundColor);
    const below = own[3] === 1 ? [0, 0, 0] : this.ground(element.parentElement);
    const ground = style.backgroundImage !== "none" || !below ? null : over(own, below);
    this.grounds.set(element, ground);
    return ground;
  }

  /** Red, green and blue from 0 to 255, and the opacity from 0 to 1: of a colour in any of the forms of CSS. */
  parts(color) {
    const known = this.colors.get(color);
    if (known) return known;
    this.context.clearRect(0, 0, 1, 1);
    this.context.fillStyle = color;
    this.context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = this.context.getImageData(0, 0, 1, 1).data;
    this.colors.set(color, [red, green, blue, alpha / 255]);
    return this.colors.get(color);
  }
}

function over(top, under) {
  return [0, 1, 2].map((at) => top[at] * top[3] + under[at] * (1 - top[3]));
}

function luminance(color) {
  const [red, green, blue] = color.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
