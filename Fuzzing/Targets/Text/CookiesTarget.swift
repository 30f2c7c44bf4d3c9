@testable import Backlot
@testable import BacklotHTTP

extension FuzzTarget {
    /// Cookies: the ids that are found stand in the field as they are, and no value reaches beyond its cookie.
    static let cookies = FuzzTarget(name: "cookies") { input async throws(Violation) in
        guard let request = RequestWith.field("Cookie", input), let header = request.headers[.cookie] else {
            return false
        }
        for value in CookieHeader.values(named: SessionCookie.name, in: header) {
            try require(!value.utf8.contains(UInt8(ascii: ";")), "a value of two cookies: \(value.debugDescription)")
            try require(Lines.isText(value.utf8), "control bytes in a value: \(value.debugDescription)")
            try require(header.contains("session"), "a value without a name")
        }
        let ids = CookieHeader.sessionIDs(in: request.headers)
        try require(ids.count <= SessionChoice.maximum, "\(ids.count) ids")
        try require(Set(ids.map(\.text)).count == ids.count, "an id twice")
        for id in ids {
            try require(header.contains(id.text), "an id that was not sent")
            let cookie = SessionCookie(
                content: .id(id, expiresAt: 2, now: 1),
                path: "/",
                sameSite: .lax,
                isSecure: true
            ).text
            try require(Lines.isText(cookie.utf8), "control bytes in \(cookie)")
            let pair = cookie.prefix { $0 != ";" }
            try require(CookieHeader.values(named: SessionCookie.name, in: String(pair)) == [id.text[...]], "\(cookie)")
        }
        return !ids.isEmpty
    }
}
