import Floki

/// A story in both languages.
struct GazetteStory: Sendable {
    /// Its title and its text in a language.
    struct Words: Sendable {
        let title: String
        let text: String
    }

    let id: Int
    let section: Int
    let picture: String
    let tags: [String]
    let english: Words
    let spanish: Words

    /// The story as an item.
    func item(_ words: Words) -> Item {
        let links = tags.map { "<a href=\"\(GazetteApp.path)/tags/\($0.htmlEscaped)\">\($0.htmlEscaped)</a>" }
        return Floki.item(id, words.title, words.text)
            .image(.byDevice(iPad: image("large"), iPhone4: image("large"), other: image("small")))
            .sections(section)
            .shareURL("https://gazette.example/stories/\(id)")
            .tags(tags)
            .page("<p>\(words.text.htmlEscaped)</p>\n<p class=\"tags\">\(links.joined(separator: " "))</p>")
    }

    private func image(_ size: String) -> String { "/pictures/\(picture)-\(size).png" }
}
