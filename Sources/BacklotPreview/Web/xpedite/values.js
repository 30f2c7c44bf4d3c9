// Values of a packet, whatever a server has sent in their place.

export function list(value) {
  return Array.isArray(value) ? value : [];
}

export function text(value) {
  return typeof value === "string" ? value : "";
}
