// What a network has made of an exchange, and what it means that a request was sent again.

/** How long ago a request may be that another one repeats, in milliseconds. */
const RECENT = 300_000;

/** The request that another one repeats: the same one before it, whose answer its client didn't get; null where there is none. */
export function repeated(records, record) {
  const before = records.findLast((one) => one !== record && one.method === record.method && one.url === record.url && one.isOwn === record.isOwn
    && one.isBackground === record.isBackground && one.body === record.body && (record.isOwn || one.note === record.note));
  return before && hasFailed(before) && record.time - before.time < RECENT ? before : null;
}

function hasFailed({ answer, server }) {
  return Boolean(answer?.failure || server?.lost);
}

/** How often the server has done what a request, and those that it repeats, have asked for. */
function done(record) {
  const { server, again } = record;
  const isDone = server && server.lost !== "request" && !/status=|fault=/.test(server.fault ?? "") && !server.network?.startsWith("captive-portal");
  const own = isDone ? (record.times ?? 1) : 0;
  return own + (again ? done(again) : 0);
}

/** What became of an exchange, in words; empty where nothing is worth a word. */
export function fate(record) {
  const { server, again, times } = record;
  const parts = [];
  if (server?.lost === "answer" || server?.fault?.includes("answer=lost")) parts.push(`the server did it (${server.status}); the answer was lost`);
  else if (server?.lost === "request") parts.push("it never came to the server");
  if (times > 1) parts.push(`the browser sent it ${times} times`);
  const count = done(record);
  if (again || times > 1) {
    const isRead = record.method === "GET" || record.method === "HEAD";
    parts.push(count > 1 && !isRead ? `sent again: the server has done it ${count} times` : "sent again");
  }
  const transfer = server?.transfer;
  if (transfer?.stalls > 0) parts.push(`${transfer.stalls === 1 ? "1 packet was" : `${transfer.stalls} packets were`} sent twice`);
  if (transfer && !transfer.complete && !server.lost) parts.push(`ended after ${transfer.bytes.toLocaleString("en")} bytes`);
  const text = parts.join("; ");
  return text && text[0].toUpperCase() + text.slice(1);
}
