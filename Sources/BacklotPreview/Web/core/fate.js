// The effect of a network on an exchange, and the meaning of a repeated request.

/** The most time between a request and its repetition, in milliseconds. */
const RECENT = 300_000;

/** The request that another one repeats: an equal earlier one whose client got no response; or null. */
export function repeated(records, record) {
  const before = records.findLast((one) => one !== record && one.method === record.method && one.url === record.url && one.isOwn === record.isOwn
    && one.isBackground === record.isBackground && one.body === record.body && (record.isOwn || one.note === record.note));
  return before && hasFailed(before) && record.time - before.time < RECENT ? before : null;
}

function hasFailed({ response, server }) {
  return Boolean(response?.failure || server?.lost);
}

/** Whether the server has done what a request asks for, going by what it says of it. */
function isDone({ lost, fault }) {
  return lost !== "request" && !/status=|fault=/.test(fault ?? "");
}

/** How many times the server carried out a request and those that it repeats. */
function done({ attempts, again }) {
  return attempts.filter(isDone).length + (again ? done(again) : 0);
}

/** The fate of an exchange in words; empty for an ordinary one. */
export function fate(record) {
  const { server, attempts, again } = record;
  const parts = [];
  if (server?.lost === "answer" || server?.fault?.includes("answer=lost")) parts.push(`the server did it (${server.status}); the answer was lost`);
  else if (server?.lost === "request") parts.push("it never came to the server");
  if (attempts.length > 1) parts.push(`the browser sent it ${attempts.length} times by itself`);
  if (again) parts.push("sent again");
  const count = done(record);
  if (count > 1 && record.method !== "GET" && record.method !== "HEAD") parts.push(`the server has done it ${count} times`);
  const transfer = server?.transfer;
  if (transfer?.stalls > 0) parts.push(transfer.stalls === 1 ? "1 piece was sent twice" : `${transfer.stalls} pieces were sent twice`);
  if (transfer && !transfer.complete && !server.lost) parts.push(`the answer ended after ${transfer.bytes.toLocaleString("en")} bytes`);
  const text = parts.join("; ");
  return text && text[0].toUpperCase() + text.slice(1);
}
