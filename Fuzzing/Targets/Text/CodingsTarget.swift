@testable import BacklotHTTP

extension FuzzTarget {
    /// `Accept-Encoding` and `Content-Encoding`: a coding is only chosen where the field names it, or `*`, and not with a
    /// weight of 0; a body's codings are those of the field.
    static let codings = FuzzTarget(name: "codings") { input async throws(Violation) in
        guard let request = RequestWith.field("Accept-Encoding", input),
            let field = request.headers.first(where: { $0.name == "Accept-Encoding" })?.value
        else { return false }
        let accept = AcceptEncoding(field)
        let members = Lines.lowercased(field.utf8).utf8.split(separator: UInt8(ascii: ",")).map { member in
            Lines.trimmed(Array(member.prefix { $0 != UInt8(ascii: ";") })[...])
        }
        if let coding = accept.preferred {
            let names = [coding.rawValue, "x-\(coding.rawValue)", "*"]
            try require(members.contains { names.contains(spelled($0)) }, "\(coding), and nobody asked for it")
        }
        for weight in [accept.gzip, accept.deflate, accept.identity, accept.others].compactMap(\.self) {
            try require((0...1000).contains(weight), "a weight of \(weight)")
        }
        guard let encoding = try? ContentEncoding(field) else { return accept.preferred != nil }
        let named = members.filter { !$0.isEmpty && spelled($0) != "identity" }
        try require(encoding.codings.count == named.count, "\(encoding.codings) from \(field.debugDescription)")
        return true
    }
}
