import BacklotJSON

extension String {
    /// The text for one line of a terminal: without control characters, and not too long.
    var excerpt: String {
        let limit = 40
        var text = ""
        text.unicodeScalars.append(
            contentsOf: unicodeScalars.prefix(limit).lazy.map { $0.properties.generalCategory == .control ? " " : $0 }
        )
        return unicodeScalars.dropFirst(limit).isEmpty ? text : text + "…"
    }
}

extension JSONValue {
    /// The value in a few words, for the texts of findings.
    var summary: String {
        switch self {
        case .array: "an array"
        case .object: "an object"
        default: description.excerpt
        }
    }
}
