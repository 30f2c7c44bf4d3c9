// The log in the forms of other tools: a command for curl, and a HAR (HTTP Archive 1.2).

/** A request as a command for a shell. Cookies are left out: no script may read them. */
export function curl(record) {
  const parts = ["curl", "--globoff"];
  const hasBody = record.body !== null || record.hasFile;
  if (record.method === "HEAD") parts.push("--head");
  else if (record.method !== (hasBody ? "POST" : "GET")) parts.push(`--request ${quoted(record.method)}`);
  parts.push(quoted(absolute(record.url)));
  const headers = Object.entries(record.headers);
  // curl would say that it is a form.
  if (hasBody && !headers.some(([name]) => name.toLowerCase() === "content-type")) headers.push(["Content-Type", ""]);
  for (const [name, value] of headers) parts.push(`--header ${quoted(value === "" ? `${name}:` : `${name}: ${value}`)}`);
  if (record.body !== null) parts.push(`--data-raw ${quoted(record.body)}`);
  else if (record.hasFile) parts.push("--data-binary @FILE");
  return parts.join(" ");
}

/** The log as a HAR. Bodies without text are left out. */
export function har(records) {
  const entries = records.filter((record) => record.response).map(entry);
  return JSON.stringify({ log: { version: "1.2", creator: { name: "Backlot preview", version: "1" }, pages: [], entries } }, null, 1);
}

function entry(record) {
  const { response, server } = record;
  const url = new URL(absolute(record.url));
  const time = record.milliseconds ?? 0;
  const cookies = (server?.setCookies ?? []).map((value) => ({ name: "Set-Cookie", value }));
  const type = response.type || "x-unknown";
  return {
    startedDateTime: new Date(record.time.getTime() - (record.isOwn ? 0 : time)).toISOString(), time,
    request: {
      method: record.method, url: url.href, httpVersion: "HTTP/1.1", cookies: [], headers: pairs(record.headers),
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })), headersSize: -1,
      bodySize: record.body === null ? (record.hasFile ? -1 : 0) : new TextEncoder().encode(record.body).length,
      ...(record.body === null ? {} : { postData: { mimeType: record.headers["Content-Type"] ?? "text/plain", text: record.body } }),
    },
    response: {
      status: response.failure ? 0 : response.status, statusText: "", httpVersion: "HTTP/1.1", cookies: [],
      headers: [...pairs(response.headers ?? {}), ...cookies],
      content: { size: response.bytes ?? -1, mimeType: type, ...(typeof response.text === "string" ? { text: response.text } : {}) },
      redirectURL: "", headersSize: -1, bodySize: response.bytes ?? -1, ...(response.failure ? { _error: response.failure } : {}),
    },
    cache: {}, timings: { send: 0, wait: time, receive: 0 },
  };
}

function pairs(object) {
  return Object.entries(object).map(([name, value]) => ({ name, value: String(value) }));
}

function absolute(url) {
  return new URL(url, location.origin).href;
}

/** A word of a POSIX shell. */
function quoted(text) {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
