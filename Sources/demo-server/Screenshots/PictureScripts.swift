import BacklotJSON

/// What is asked of pages of preview, and of two pictures, in Chromium.
enum PictureScripts {
    /// The addresses of all pages on the list of apps; null where there is no such list.
    static let pages = """
        document.querySelector('main.home') && [...document.querySelectorAll('.app-card a')].map((link) => link.href)
        """

    /// What pictures can be taken of: `[{id, width, height}]`.
    static let looks = """
        (async () => {
          const { LOOKS } = await import('/__preview/web/wall/looks.js');
          const { SIZES } = await import('/__preview/web/phone/controls.js');
          return LOOKS.map(({ id, size, rotated }) => {
            const [width, height] = rotated ? SIZES[size].toReversed() : SIZES[size];
            return { id, width, height };
          });
        })()
        """

    /// Waits until a page can be taken: "ready", or why it can't.
    static let ready = """
        new Promise((done) => {
          const end = Date.now() + 30000;
          const look = () => {
            const said = document.documentElement.dataset.picture;
            if (said) return done(said);
            if (document.readyState === 'complete' && !document.querySelector('meta[name=backlot-preview]')) return done('preview is not there');
            if (Date.now() > end) return done('the page was not calm within 30 seconds');
            setTimeout(look, 15);
          };
          look();
        })
        """

    /// Compares two PNGs: `{pixels, all, difference}`, the last a PNG in which what differs is red; or `{size}` where they have
    /// different sizes.
    static func comparison(_ before: String, _ after: String) -> String {
        """
        (async (pictures) => {
          const [before, after] = await Promise.all(pictures.map(async (text) => {
            const image = new Image();
            image.src = `data:image/png;base64,${text}`;
            await image.decode();
            const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
            const context = canvas.getContext('2d', { willReadFrequently: true });
            context.drawImage(image, 0, 0);
            return { canvas, context, image: context.getImageData(0, 0, image.width, image.height) };
          }));
          const [one, other] = [before.image, after.image];
          if (one.width !== other.width || one.height !== other.height) return { size: `${one.width} × ${one.height} before, ${other.width} × ${other.height} now` };
          let pixels = 0;
          const result = new ImageData(one.width, one.height);
          for (let at = 0; at < one.data.length; at += 4) {
            const isSame = [0, 1, 2, 3].every((part) => one.data[at + part] === other.data[at + part]);
            if (!isSame) pixels += 1;
            const grey = 190 + (other.data[at] + other.data[at + 1] + other.data[at + 2]) / 12;
            result.data.set(isSame ? [grey, grey, grey, 255] : [220, 0, 40, 255], at);
          }
          before.context.putImageData(result, 0, 0);
          return { pixels, all: one.width * one.height, difference: before.canvas.toDataURL('image/png').split(',')[1] };
        })(["\(before)", "\(after)"])
        """
    }
}
