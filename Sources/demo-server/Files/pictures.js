// The functions that `demo-server screenshots` runs in Chromium, on pages of preview and on two pictures.

// The addresses of all pages on the list of apps, without the list of mock routes; null on a page without the list of apps.
const pages = () =>
  document.querySelector('main.home') && [...document.querySelectorAll('.app-card:not(.mocks) a')].map((link) => link.href);

// The devices for pictures: [{id, width, height}].
const looks = async () => {
  const { LOOKS } = await import('/__preview/web/wall/looks.js');
  const { SIZES } = await import('/__preview/web/phone/controls.js');
  return LOOKS.map(({ id, size, rotated }) => {
    const [width, height] = rotated ? SIZES[size].toReversed() : SIZES[size];
    return { id, width, height };
  });
};

// Waits until a picture of the page can be taken: "ready", or the reason why it can't.
const ready = async () => {
  for (const end = Date.now() + 30000; Date.now() < end; await new Promise((done) => setTimeout(done, 15))) {
    const said = document.documentElement.dataset.picture;
    if (said) return said;
    const isThere = document.querySelector('meta[name=backlot-preview]');
    if (document.readyState === 'complete' && !isThere) return 'preview is not there';
  }
  return 'the page was not calm within 30 seconds';
};

// Compares two PNGs: {pixels, all, difference}, where difference is a PNG with the changed pixels in red; or {size} for different sizes.
const compare = async (...pictures) => {
  const [{ context, image: one }, { image: other }] = await Promise.all(pictures.map(async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return { context, image: context.getImageData(0, 0, width, height) };
  }));
  const size = ({ width, height }) => `${width} × ${height}`;
  if (size(one) !== size(other)) return { size: `${size(one)} before, ${size(other)} now` };
  let pixels = 0;
  const result = new ImageData(one.width, one.height);
  for (let at = 0; at < one.data.length; at += 4) {
    const isSame = [0, 1, 2, 3].every((part) => one.data[at + part] === other.data[at + part]);
    if (!isSame) pixels += 1;
    const grey = 190 + (other.data[at] + other.data[at + 1] + other.data[at + 2]) / 12;
    result.data.set(isSame ? [grey, grey, grey, 255] : [220, 0, 40, 255], at);
  }
  context.putImageData(result, 0, 0);
  const difference = context.canvas.toDataURL('image/png').split(',')[1];
  return { pixels, all: one.width * one.height, difference };
};
