@testable import Backlot
@testable import BacklotHTTP

extension FuzzTarget {
    /// Cookies: the sessions are those of the ids that a plain second grammar finds, and no value reaches beyond its cookie.
    static let cookies = FuzzTarget(name: "cookies") { input async throws(Violation) in
        guard let request = RequestWith.field("Cookie", input), let header = request.headers[.cookie] else {
            return false
        }
        for value in CookieHeader.values(named: SessionPlace.cookieName, in: header) {
            try require(!value.utf8.contains(UInt8(ascii: ";")), "a value of two cookies: \(value.debugDescription)")
            try require(Lines.isText(value.utf8), "control bytes in a value: \(value.debugDescription)")
            try require(header.contains("session"), "a value without a name")
        }
        var found: [SessionHash] = []
        CookieHeader.forEachSessionKey(in: request.headers) { found.append($0) }
        let ids = Self.ids(in: header)
        try require(found == ids.map { SessionHash(hashing: $0) }, "other sessions than those of \(ids)")
        return !ids.isEmpty
    }

    /// The session ids in a field, each once, by a plain second grammar: as many as are looked up.
    private static func ids(in header: String) -> [String] {
        var ids: [String] = []
        for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, trimmed(parts[0]) == SessionPlace.cookieName else { continue }
            let id = trimmed(parts[1])
            let isID = id.utf8.count == SessionID.length && id.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil
            if isID, !ids.contains(id) { ids.append(id) }
        }
        return Array(ids.prefix(SessionChoice.maximum))
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        return String(decoding: text.drop(while: isBlank).reversed().drop(while: isBlank).reversed(), as: UTF8.self)
    }
}
