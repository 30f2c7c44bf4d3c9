// A link that holds a page itself, behind #: browsers send that part to no server.

const [PACKED, PLAIN] = ["#edit=", "#text="];
/** The most bytes of a text from a link: a short link can hold a large text. */
const MOST = 10_000_000;

/** The link that opens a text in the editor of this page. */
export async function linkTo(text) {
  const bytes = new TextEncoder().encode(text);
  const base = location.origin + location.pathname + location.search;
  if (typeof CompressionStream === "undefined") return base + PLAIN + encode(bytes);
  return base + PACKED + encode(await collect(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity));
}

/** The text in the address of this window, or null. Throws where it can't be read. */
export async function sharedText(hash = location.hash) {
  if (!hash.startsWith(PACKED) && !hash.startsWith(PLAIN)) return null;
  let bytes = decode(hash.slice(PACKED.length));
  if (hash.startsWith(PACKED)) bytes = await collect(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")), MOST);
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

async function collect(stream, most) {
  const chunks = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new Error(`it holds more than ${most / 1_000_000} MB`);
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Base64 for URLs (RFC 4648, section 5), without padding. */
function encode(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function decode(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
