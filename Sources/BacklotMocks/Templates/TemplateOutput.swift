/// The text that a template has become so far, and the work that it took. One bound limits their sum.
///
/// Lists come from clients, and sections in sections multiply their lengths: a request of a kilobyte could ask for gigabytes.
struct TemplateOutput {
    private(set) var bytes: [UInt8] = []
    /// The rest of the bound.
    private(set) var left: Int
    private let limit: Int

    /// - Parameter limit: how much may be spent: 1 for each byte, and for each step of work that takes about as long as a few.
    init(limit: Int, capacity: Int = 0) {
        left = limit
        self.limit = limit
        bytes.reserveCapacity(capacity)
    }

    /// Counts bytes or work.
    mutating func spend(_ count: Int) throws(TemplateTooLarge) {
        guard count <= left else { throw TemplateTooLarge(limit: limit) }
        left -= count
    }

    mutating func append(_ more: some Collection<UInt8>) throws(TemplateTooLarge) {
        try spend(more.count)
        bytes += more
    }

    /// Appends a comma, unless a list or an object has just begun.
    mutating func appendComma() throws(TemplateTooLarge) {
        guard let last = bytes.last, last != UInt8(ascii: "["), last != UInt8(ascii: "{") else { return }
        try spend(1)
        bytes.append(UInt8(ascii: ","))
    }

    /// Appends a text as a JSON string.
    mutating func appendString(_ text: String) throws(TemplateTooLarge) {
        try spend(2)
        bytes.append(UInt8(ascii: "\""))
        try appendEscaped(text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Takes away what was written after a place.
    mutating func cut(from start: Int) -> [UInt8] {
        let part = Array(bytes[start...])
        bytes.removeSubrange(start...)
        return part
    }

    /// Appends a text as it stands between the quotes of a JSON string.
    mutating func appendEscaped(_ text: String) throws(TemplateTooLarge) {
        try spend(text.utf8.count)
        let start = bytes.count
        JSONQuotes.appendEscaped(text, to: &bytes)
        try spend(bytes.count - start - text.utf8.count)
    }
}

/// Filling in a template takes more than the bound.
struct TemplateTooLarge: Error, Equatable {
    /// In bytes.
    let limit: Int
}
