internal import BacklotHTTP
internal import HTTPTypes

/// Whether a client's connection is encrypted, as the proxy in front of this server says: in `X-Forwarded-Proto`, or in
/// `Forwarded` (RFC 7239). Anybody can write these fields, so they count only from proxies that are trusted, and of
/// several values only the last one, which the nearest proxy has added.
enum ForwardedProtocol {
    private static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")
    private static let forwarded = HTTPField.Name("Forwarded")

    /// Whether a request came by HTTPS. Where both fields are there, both must say so.
    static func isHTTPS(_ request: Request, trusting proxies: [AddressRange]) -> Bool {
        guard proxies.contains(where: { $0.contains(request.remoteAddress) }) else { return false }
        let named = forwardedProto.flatMap { request.headers[$0] }.map(lastValue)
        let standard = forwarded.flatMap { request.headers[$0] }.map { lastProtocol(in: $0) ?? "" }
        let values = [named, standard].compactMap(\.self)
        return !values.isEmpty && values.allSatisfy { $0.lowercased() == "https" }
    }

    /// The last value of a list.
    private static func lastValue(in list: String) -> String {
        let last = list.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
        return String(trimmed(last))
    }

    /// The `proto` parameter of the last element of a `Forwarded` field; nil where it has none or two, and where the field
    /// is malformed.
    static func lastProtocol(in field: String) -> String? {
        guard let element = split(field[...], at: ",")?.last, let pairs = split(element, at: ";") else { return nil }
        let values = pairs.compactMap { pair -> String? in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, trimmed(halves[0]).lowercased() == "proto" else { return nil }
            let value = trimmed(halves[1])
            let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            return String(isQuoted ? value.dropFirst().dropLast() : value)
        }
        return values.count == 1 ? values[0] : nil
    }

    /// The parts between separators that stand outside quotes; nil when a quote is not closed.
    private static func split(_ text: Substring, at separator: Character) -> [Substring]? {
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return isQuoted ? nil : parts + [text[start...]]
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
