// A search, page by page. An empty page is the last.

import { entriesOf } from "./feed.js";
import { filled } from "./urls.js";

export class Search {
  constructor(url, words) {
    Object.assign(this, { url, words, page: 0, results: [], hasMore: false, isLoading: false, error: null, document: null });
  }

  /** Asks for the next page. */
  async next(requests, language) {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const response = await requests.ask(filled(this.url, language, this.words, this.page + 1), "search");
      const found = entriesOf(response.document);
      this.results = [...this.results.map((one) => ({ ...one, pointer: null })), ...found];
      // iOS files results with sections into these, and has no cell for more.
      this.hasMore = found.length > 0 && !Array.isArray(response.document.sections);
      this.page += 1;
      Object.assign(this, response, { error: null });
    } catch (error) {
      this.error = error.message;
      requests.host.problem(error.message);
    }
    this.isLoading = false;
  }
}
