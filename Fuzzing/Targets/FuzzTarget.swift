/// Something that reads what strangers send, and what must hold for it whatever they send.
struct FuzzTarget: Sendable {
    /// Also the name of its folder of seeds, and of its dictionary.
    let name: String
    /// Reads some bytes.
    ///
    /// - Returns: whether they were what the reader takes; a corpus that never is tests little.
    /// - Throws: what does not hold. A trap says as much.
    let check: @Sendable (_ input: [UInt8]) async throws(Violation) -> Bool

    /// Every target.
    static let all = [
        addresses, responses, chunked, codings, conditions, connection, cookies, floki, forwarded, handshake, head,
        headerList, imports, inflation, json, messages, mocks, packets, percent, proxyHeader, ranges, routing,
        surfaces, variables, views, webSocket,
    ]

    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Something that should hold, and does not.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(Violation) {
    if !holds { throw Violation(description: otherwise()) }
}
