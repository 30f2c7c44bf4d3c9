@testable import Backlot
@testable import BacklotHTTP

extension FuzzTarget {
    /// What proxies say of a request (RFC 7239): what the last one adds counts, whatever stands before it.
    static let forwarded = FuzzTarget(name: "forwarded") { input async throws(Violation) in
        guard let plain = RequestWith.field("Forwarded", input) else { return false }
        let trusted = AddressRange.loopback
        let client = plain.clientAddress(trusting: trusted)
        let elements = ForwardedElement.all(in: plain.headers.first { $0.name == "Forwarded" }?.value ?? "")
        if elements == nil { try require(client == plain.remoteAddress, "an address from an open quote") }
        // A proxy adds its own element. Where no quote is open, that is all that counts.
        let added = ", for=192.0.2.7;proto=http"
        guard let longer = RequestWith.field("Forwarded", input + Array(added.utf8)) else { return false }
        if elements != nil {
            try require(longer.clientAddress(trusting: trusted).host == "192.0.2.7", "the last proxy's word is lost")
        }
        try require(!longer.isSecure(trusting: trusted), "https against the last proxy's word")
        // The same in the older field.
        guard let older = RequestWith.field("X-Forwarded-For", input + Array(", 192.0.2.7".utf8)) else { return false }
        try require(older.clientAddress(trusting: trusted).host == "192.0.2.7", "the last proxy's word is lost")
        let proto = RequestWith.field("X-Forwarded-Proto", input + Array(",http".utf8))
        try require(
            proto.map { !$0.isSecure(trusting: trusted) } ?? true,
            "https against the last word"
        )
        return elements.map { !$0.isEmpty } ?? false
    }
}
