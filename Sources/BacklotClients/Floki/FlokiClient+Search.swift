internal import Backlot
internal import BacklotJSON
internal import Floki

extension FlokiClient {
    /// Searches by the bar of the news on the screen; ``results`` has what is found.
    public func search(_ words: String, file: String = #fileID, line: Int = #line) async throws {
        let place = "\(file):\(line)"
        guard let url = screen?.data["search_bar"]?.string, url.contains("_WORDS_"), url.contains("_PAGE_") else {
            let step = "search(\"\(words)\")"
            throw StepFailure(step: step, problem: "there is no bar to search", screen: drawing, place: place)
        }
        try await look(url, words, step: "search(\"\(words)\")", place)
    }

    /// Asks for the next page of results. An empty one is the last.
    public func moreResults(file: String = #fileID, line: Int = #line) async throws {
        let place = "\(file):\(line)"
        guard let query, hasMoreResults else {
            throw StepFailure(step: "moreResults()", problem: "there are no more", screen: drawing, place: place)
        }
        try await nextPage(query.url, query.words, query.page + 1, step: "moreResults()", place)
    }

    /// Begins a search, or a list of what has a tag.
    func look(_ url: String, _ words: String, step: String, _ place: String) async throws {
        results = []
        try await nextPage(url, words, 1, step: step, place)
    }

    private func nextPage(_ url: String, _ words: String, _ page: Int, step: String, _ place: String) async throws {
        let filled = filled(url, words).replacing("_PAGE_", with: "\(page)")
        let answer = try await document(address(filled, of: nil), .news, step, place)
        let found = FlokiList.entries(of: answer)
        results += found
        // iOS files them into sections that begin collapsed, and has no cell for more.
        hasMoreResults = !found.isEmpty && (configuration.platform == .android || answer["sections"] == nil)
        query = (url, words, page)
    }

    /// A URL with the language and the words in their places.
    func filled(_ url: String, _ words: String) -> String {
        let encoded = words.split(separator: " ").map { Self.urlEncoded($0) }.joined(separator: "+")
        return url.replacing("_LNG_", with: language).replacing("_WORDS_", with: encoded)
    }

    /// A word with everything but letters, digits and `-_.` percent-encoded.
    private static func urlEncoded(_ word: Substring) -> String {
        PercentEncoding.encode(word, keeping: "-_.")
    }
}
