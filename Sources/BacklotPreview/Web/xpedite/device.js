// The device that a window is.

/** What the device says of itself. Each window is a device of its own, for which the server keeps a session. */
export function deviceOf(memory) {
  const uuid = memory.get("uuid") ?? newUUID();
  memory.set("uuid", uuid);
  return { bundleID: "xpedite.software", uuid, bounds: "390x844", xpediteVersion: 1 };
}

/** A random UUID (RFC 9562). The browser's own function for it works over https only. */
function newUUID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return [...bytes].map((byte, index) => ([4, 6, 8, 10].includes(index) ? "-" : "") + byte.toString(16).padStart(2, "0")).join("");
}
