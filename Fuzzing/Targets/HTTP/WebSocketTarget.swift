@testable import BacklotHTTP

extension FuzzTarget {
    /// WebSockets: a line with the extensions that a client offers, and then its frames. No cut matters, no message is longer than
    /// the limit, and what was read is the same when it is sent and read again.
    static let webSocket = FuzzTarget(name: "webSocket") { input async throws(Violation) in
        let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let offers = spelled(parts[0])
        let compression = WebSocketCompression(offers: offers)
        let first = offers.split(separator: ",").lazy.compactMap { WebSocketCompression(offers: String($0)) }.first
        try require(compression == first, "of all offers, \(String(describing: compression)) is accepted")
        let frames = parts.count == 2 ? Array(parts[1]) : []
        let reading = try WebSocketReading(frames, cuts: [], compression)
        for cuts in Cuts.some(of: frames) {
            let inPieces = try WebSocketReading(frames, cuts: cuts, compression)
            try require(inPieces == reading, "cut at \(cuts.prefix(3)): \(inPieces), not \(reading)")
        }
        let client = WebSocketMachine(.client, compression: compression, at: WebSocketReading.start)
        for case .message(let message) in reading.actions {
            let bytes = message.bytes
            try require(bytes.count <= WebSocketReading.limit, "a message of \(bytes.count) bytes")
            let compressed = compression?.deflate(bytes)
            let sent = client.encode(compressed ?? bytes, isText: message.text != nil, isCompressed: compressed != nil)
            let again = try WebSocketReading(sent, cuts: [], compression).actions
            try require(again == [.message(message)], "\(message) is \(again) when it is sent and read again")
        }
        return !reading.hasFailed && !reading.actions.isEmpty
    }
}

/// A server's reading of a client's frames.
private struct WebSocketReading: Equatable {
    static let start = ContinuousClock.now
    static let limit = 1000

    private(set) var actions: [WebSocketMachine.Action] = []
    let phase: WebSocketMachine.Phase
    let hasFailed: Bool

    init(_ input: [UInt8], cuts: [Int], _ compression: WebSocketCompression?) throws(Violation) {
        var options = WebSocketOptions()
        options.messageLimit = Self.limit
        var machine = WebSocketMachine(options: options, compression: compression, at: Self.start)
        var position = 0
        for end in cuts + [input.count] {
            while let action = machine.next(input.span.extracting(..<end), from: &position, at: Self.start) {
                actions.append(action)
            }
            try require(position == end, "stopped at \(position) of \(end) bytes")
        }
        (phase, hasFailed) = (machine.phase, machine.hasFailed)
    }
}
