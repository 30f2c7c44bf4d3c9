"""How well texts on the phone's screen can be read."""

# The contrast of each visible text with the colours below it (WCAG 2, contrast ratio). Pictures behind texts don't count.
SCRIPT = """
const context = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d", {willReadFrequently: true});
const parts = (color) => {
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
};
const over = (top, under) => [0, 1, 2].map((at) => top[at] * top[3] + under[at] * (1 - top[3]));
const luminance = (color) => {
  const [red, green, blue] = color.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const screen = document.querySelector(".screen");
const texts = document.createTreeWalker(document.querySelector(".app"), NodeFilter.SHOW_TEXT);
const found = [];
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  const text = texts.currentNode.textContent.trim();
  if (!text || !element.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
  const around = [];
  for (let one = element; one !== screen.parentElement; one = one.parentElement) around.unshift(parts(getComputedStyle(one).backgroundColor));
  const ground = around.reduce((under, top) => over(top, under), [255, 255, 255]);
  const front = over(parts(getComputedStyle(element).color), ground);
  const [less, more] = [luminance(front), luminance(ground)].sort((left, right) => left - right);
  found.push([text, (more + 0.05) / (less + 0.05)]);
}
return found;
"""


def faint(phone, least=4.5):
    """The texts whose contrast is less than `least`, with what it is."""
    found = phone.script(SCRIPT)
    assert found, "no text is shown"
    return {text: round(ratio, 2) for text, ratio in found if ratio < least}
