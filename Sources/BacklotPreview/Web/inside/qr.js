// QR codes (ISO/IEC 18004): bytes, at error correction level M, in versions 1 to 20.

/** For each version: error correction codewords of a block, and the data codewords of its blocks (ISO/IEC 18004, table 9). */
const BLOCKS = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]], [22, [38, 38, 39, 39]],
  [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]], [30, [50, 51, 51, 51, 51]], [22, [36, 36, 36, 36, 36, 36, 37, 37]],
  [22, [37, 37, 37, 37, 37, 37, 37, 37, 38]], [24, [40, 40, 40, 40, 41, 41, 41, 41, 41]], [24, [41, 41, 41, 41, 41, 42, 42, 42, 42, 42]],
  [28, [45, 45, 45, 45, 45, 45, 45, 46, 46, 46]], [28, [46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 47]],
  [26, [43, 43, 43, 43, 43, 43, 43, 43, 43, 44, 44, 44, 44]], [26, [44, 44, 44, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45]],
  [26, [41, 41, 41, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42]],
];

/** Where the alignment patterns of each version stand (table E.1). */
const ALIGNMENT = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50], [6, 30, 54], [6, 32, 58], [6, 34, 62],
  [6, 26, 46, 66], [6, 26, 48, 70], [6, 26, 50, 74], [6, 30, 54, 78], [6, 30, 56, 82], [6, 30, 58, 86], [6, 34, 62, 90],
];

const MASKS = [
  (y, x) => (y + x) % 2 === 0, (y) => y % 2 === 0, (y, x) => x % 3 === 0, (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0, (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0, (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
];

/** The code of a text: rows of modules, true for dark. Throws a `RangeError` for a text that is too long. */
export function encode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + BLOCKS.findIndex(([, sizes], index) => 8 * sum(sizes) >= 4 + (index < 9 ? 8 : 16) + 8 * bytes.length);
  if (version === 0) throw new RangeError("the text is too long for a QR code");
  const codewords = interleaved(dataCodewords(bytes, version), version);
  const candidates = MASKS.map((mask, number) => matrix(codewords, version, mask, number));
  return candidates.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function dataCodewords(bytes, version) {
  const count = sum(BLOCKS[version - 1][1]);
  const bits = [];
  const put = (value, length) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, 8 * count - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  const codewords = [];
  for (let at = 0; at < bits.length; at += 8) codewords.push(Number.parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let pad = 0; codewords.length < count; pad++) codewords.push(pad % 2 === 0 ? 0xec : 0x11);
  return codewords;
}

/** The blocks' codewords in turn, and then those of their error correction. */
function interleaved(data, version) {
  const [length, sizes] = BLOCKS[version - 1];
  const blocks = [];
  let at = 0;
  for (const size of sizes) blocks.push(data.slice(at, (at += size)));
  const corrections = blocks.map((block) => correction(block, length));
  const woven = (lists) => {
    const found = [];
    for (let index = 0; index < Math.max(...lists.map((list) => list.length)); index++) for (const list of lists) if (index < list.length) found.push(list[index]);
    return found;
  };
  return [...woven(blocks), ...woven(corrections)];
}

/** A product in the field of 256 elements, by the polynomial x^8 + x^4 + x^3 + x^2 + 1. */
function product(left, right) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    if ((right >> bit) & 1) result ^= left;
  }
  return result;
}

/** The rest of the division by the generator polynomial (Reed–Solomon). */
function correction(block, length) {
  let generator = [1];
  let root = 1;
  for (let index = 0; index < length; index++) {
    const next = [...generator, 0];
    for (const [at, factor] of generator.entries()) next[at + 1] ^= product(factor, root);
    generator = next;
    root = product(root, 2);
  }
  const rest = Array(length).fill(0);
  for (const codeword of block) {
    const factor = codeword ^ rest.shift();
    rest.push(0);
    for (let at = 0; at < length; at++) rest[at] ^= product(generator[at + 1], factor);
  }
  return rest;
}

function matrix(codewords, version, mask, maskNumber) {
  const size = 17 + 4 * version;
  const modules = Array.from({ length: size }, () => Array(size).fill(false));
  const isFixed = Array.from({ length: size }, () => Array(size).fill(false));
  const set = (y, x, isDark) => {
    if (y < 0 || x < 0 || y >= size || x >= size) return;
    modules[y][x] = isDark;
    isFixed[y][x] = true;
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [cy, cx] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
    for (let y = -4; y <= 4; y++) {
      for (let x = -4; x <= 4; x++) {
        const ring = Math.max(Math.abs(y), Math.abs(x));
        set(cy + y, cx + x, ring !== 2 && ring !== 4);
      }
    }
  }
  const centers = ALIGNMENT[version - 1];
  const last = centers.at(-1);
  for (const cy of centers) {
    for (const cx of centers) {
      if ((cy === 6 && cx === 6) || (cy === 6 && cx === last) || (cy === last && cx === 6)) continue;
      for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) set(cy + y, cx + x, Math.max(Math.abs(y), Math.abs(x)) !== 1);
    }
  }
  putFormat(set, size, maskNumber);
  if (version >= 7) putVersion(set, size, version);
  let index = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    // The timing pattern's column holds nothing else.
    const columns = right === 8 ? [8, 7] : [right, right - 1];
    const isUpward = ((right < 8 ? right + 1 : right) & 2) === ((size - 1) & 2);
    for (let step = 0; step < size; step++) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of columns) {
        if (isFixed[y][x]) continue;
        const bit = index < 8 * codewords.length ? (codewords[index >> 3] >> (7 - (index & 7))) & 1 : 0;
        index++;
        modules[y][x] = (bit === 1) !== mask(y, x);
      }
    }
  }
  return modules;
}

/** Level M and the mask, with their BCH code, twice (section 7.9). */
function putFormat(set, size, mask) {
  let rest = mask;
  for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (index) => ((bits >> index) & 1) === 1;
  for (let at = 0; at <= 5; at++) set(at, 8, bit(at));
  set(7, 8, bit(6));
  set(8, 8, bit(7));
  set(8, 7, bit(8));
  for (let at = 9; at < 15; at++) set(8, 14 - at, bit(at));
  for (let at = 0; at < 8; at++) set(8, size - 1 - at, bit(at));
  for (let at = 8; at < 15; at++) set(size - 15 + at, 8, bit(at));
  set(size - 8, 8, true);
}

/** The version with its Golay code, twice (section 7.10). */
function putVersion(set, size, version) {
  let rest = version;
  for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at++) {
    const isDark = ((bits >> at) & 1) === 1;
    set(Math.floor(at / 3), size - 11 + (at % 3), isDark);
    set(size - 11 + (at % 3), Math.floor(at / 3), isDark);
  }
}

/** How hard a code is to read (section 7.8.3): lower is better. */
function penalty(modules) {
  const size = modules.length;
  let total = 0;
  let dark = 0;
  const lines = [modules, modules.map((_, x) => modules.map((row) => row[x]))];
  for (const rows of lines) {
    for (const row of rows) {
      let run = 1;
      for (let at = 1; at <= size; at++) {
        if (at < size && row[at] === row[at - 1]) {
          run++;
        } else {
          if (run >= 5) total += run - 2;
          run = 1;
        }
      }
      const text = row.map(Number).join("");
      for (const pattern of ["10111010000", "00001011101"]) for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) total += 40;
    }
  }
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (modules[y][x]) dark++;
      if (y > 0 && x > 0 && modules[y][x] === modules[y - 1][x] && modules[y][x] === modules[y][x - 1] && modules[y][x] === modules[y - 1][x - 1]) total += 3;
    }
  }
  return total + 10 * Math.floor(Math.abs((20 * dark) / (size * size) - 10));
}
