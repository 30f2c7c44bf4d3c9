// Asks the server for documents.

import { ownPath } from "./urls.js";

export class Requests {
  constructor(host) {
    this.host = host;
  }

  /** The document at a URL: `{document, text, findings, path}`. Throws an error that says why there is none that counts. */
  async ask(url, note, isBackground = false) {
    const path = ownPath(url);
    if (path === null) throw new Error(`${url} is on another host, which preview doesn't ask.`);
    const answer = await this.host.send({ method: "GET", url: path, headers: { Accept: "application/json" }, note, isBackground });
    if (answer.failure) throw new Error(`No answer: ${answer.failure}.`);
    if (answer.status < 200 || answer.status > 299) throw new Error(`The server answered ${answer.status} for ${path}: clients keep what they have.`);
    const findings = (await this.host.inspect(path, answer.text ?? "")) ?? [];
    let document = null;
    try {
      document = JSON.parse(answer.text ?? "");
    } catch (error) {
      throw new Error(`The answer for ${path} can't be read as JSON: ${error.message}.`);
    }
    if (document === null || typeof document !== "object" || Array.isArray(document)) throw new Error(`The answer for ${path} is no JSON object.`);
    return { document, text: answer.text, findings, path };
  }
}
