// Asks the server for documents.

import { ownPath } from "./urls.js";

export class Requests {
  constructor(host) {
    this.host = host;
  }

  /** The document at a URL: `{document, text, findings, path}`. Throws an error with the reason if no response counts. */
  async ask(url, note, isBackground = false) {
    const path = ownPath(url);
    if (path === null) throw new Error(`${url} is on another host, which preview doesn't ask.`);
    const response = await this.host.send({ method: "GET", url: path, headers: { Accept: "application/json" }, note, isBackground });
    if (response.failure) throw new Error(`No answer: ${response.failure}.`);
    if (response.status < 200 || response.status > 299) throw new Error(`The server answered ${response.status} for ${path}: clients keep what they have.`);
    const findings = (await this.host.inspect(path, response.text ?? "")) ?? [];
    let document = null;
    try {
      document = JSON.parse(response.text ?? "");
    } catch (error) {
      throw new Error(`The answer for ${path} can't be read as JSON: ${error.message}.`);
    }
    if (document === null || typeof document !== "object" || Array.isArray(document)) throw new Error(`The answer for ${path} is no JSON object.`);
    return { document, text: response.text, findings, path };
  }
}
