@testable import BacklotHTTP

extension FuzzTarget {
    /// The header of the PROXY protocol: it ends where it says, whatever follows, and is incomplete before.
    static let proxyHeader = FuzzTarget(name: "proxyHeader") { input async throws(Violation) in
        let whole = ProxyHeader.read(input.span)
        guard case .complete(let length, _, _) = whole else {
            guard case .malformed = whole else { return false }
            let followed = input + [0]
            try require(ProxyHeader.read(followed.span) == whole, "more bytes change why it is refused")
            return false
        }
        try require((1...input.count).contains(length), "\(length) bytes of \(input.count)")
        let alone = Array(input[..<length])
        try require(ProxyHeader.read(alone.span) == whole, "what follows matters")
        for end in 1..<length {
            let cut = ProxyHeader.read(alone.span.extracting(..<end))
            try require(cut == .incomplete, "cut at \(end): \(cut)")
        }
        return true
    }
}
