// The files of mocks, by commands of /__admin: they are read and written with its rights alone. Each shows preview's token, without
// which a page may give no commands.

export class MockFiles {
  constructor(backend) {
    this.backend = backend;
  }

  call(path, options) {
    return this.backend.admin(path, options);
  }

  /** The names of all files, or of those with a route for a URL; null without the right to know. */
  async names(url = null) {
    try {
      return (await (await this.call(url === null ? "routes" : `routes?url=${encodeURIComponent(url)}`)).json()).files;
    } catch {
      return null;
    }
  }

  /** A file: `{name, text, tag}`. */
  async read(name) {
    const response = await this.call(`routes/${encoded(name)}`);
    return { name, text: await response.text(), tag: response.headers.get("ETag") };
  }

  /** Writes a file where it still is what was read, as `tag` says; a new one where `tag` is null. Returns its new tag. */
  async write(name, text, tag) {
    const headers = { "Content-Type": "text/plain; charset=utf-8", ...(tag === null ? { "If-None-Match": "*" } : { "If-Match": tag }) };
    return (await this.call(`routes/${encoded(name)}`, { method: "PUT", body: text, headers })).headers.get("ETag");
  }

  /** What a file with a text would mean: `{problems, warnings, document}`. */
  async judge(name, text) {
    return (await this.call(`routes/${encoded(name)}`, { method: "POST", body: text, headers: { "Content-Type": "text/plain; charset=utf-8" } })).json();
  }

  /** The JSON Schema of a file, or null. */
  async schema(name) {
    try {
      return await (await this.call(`schemas/${kindOf(name)}`)).json();
    } catch {
      return null;
    }
  }
}

/** The kind of a file by its name: page, route, mapping and so on. */
function kindOf(name) {
  if (name.startsWith("mappings/")) return "mapping";
  if (name.startsWith("data/")) return "data";
  const kind = name.split("/").at(-1).split(".").at(-2);
  return ["get", "post", "put", "patch", "delete", "rpc"].includes(kind) ? "route" : kind;
}

/** Each part of a path, so that no sign in a name leads elsewhere. Browsers follow dots before they ask. */
function encoded(name) {
  const parts = name.split("/");
  if (parts.some((part) => part === "" || part.startsWith("."))) {
    throw new Error(`${name || "The empty name"} is no path to a file below the folder of the routes, such as books/index.page.json`);
  }
  return parts.map(encodeURIComponent).join("/");
}
