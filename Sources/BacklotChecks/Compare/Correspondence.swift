import Backlot
internal import BacklotJSON
internal import BacklotMocks

/// The texts and paths of a leading side, and those that another side has in their places: the mock's `/notes/3` may be the backend's
/// `/notes/17`.
struct Correspondence: Sendable {
    private static let most = 10_000

    /// The texts, such as ids and tokens.
    private(set) var texts: [String: String] = [:]
    /// The leading side's paths, in the order in which they were learned.
    private(set) var paths: [String] = []
    private var ownPaths: [String: String] = [:]

    /// The path that stands in the place of a path; nil for an unknown one.
    func path(_ leading: String) -> String? { ownPaths[leading] }

    mutating func learn(path leading: String, _ own: String) {
        guard paths.count < Self.most else { return }
        if ownPaths.updateValue(own, forKey: leading) == nil { paths.append(leading) }
    }

    mutating func learn(text leading: String, _ own: String) {
        if texts.count < Self.most { texts[leading] = own }
    }

    /// A value of a request with this side's texts.
    func replaced(_ value: JSONValue) -> JSONValue { texts.isEmpty ? value : value.mapTexts { texts[$0] ?? $0 } }
}

extension DocumentComparison.Pair {
    /// Whether both may be ids or tokens, and neither is a word or a sentence.
    var areTokens: Bool { was.looksLikeToken && now.looksLikeToken }
}

extension String {
    fileprivate var looksLikeToken: Bool {
        let bytes = utf8
        guard bytes.count >= 6, !bytes.contains(where: { $0 <= 0x20 }) else { return false }
        return bytes.count >= 16 || bytes.contains { (0x30...0x39).contains($0) }
    }

    /// The path with `*` in place of segments that may be ids.
    var withoutIDs: String {
        split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.looksLikeID ? "*" : String($0) }
            .joined(separator: "/")
    }
}
