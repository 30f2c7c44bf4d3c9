@testable import BacklotHTTP

extension FuzzTarget {
    /// A connection's bytes taken apart into requests with their bodies, as a server does it: where the next one begins must
    /// not depend on how they arrived.
    static let messages = FuzzTarget(name: "messages") { input async throws(Violation) in
        let reading = try MessageReading(input, cuts: [])
        for cuts in Cuts.some(of: input) {
            let inPieces = try MessageReading(input, cuts: cuts)
            try require(inPieces == reading, "cut at \(cuts.prefix(3)): \(inPieces), not \(reading)")
        }
        return !reading.messages.isEmpty
    }
}

private struct MessageReading: Equatable {
    struct Message: Equatable {
        let head: HeadReading.Head
        let body: [UInt8]
    }

    private(set) var messages: [Message] = []
    private(set) var error: RequestError?
    private var position = 0

    init(_ input: [UInt8], cuts: [Int]) throws(Violation) {
        var parser = HeadParser(limits: .init())
        var head: HeadReading.Head?
        var decoder: BodyDecoder?
        var body: [UInt8] = []
        for end in cuts + [input.count] {
            let bytes = input.span.extracting(..<end)
            let start = position
            do throws(RequestError) {
                while error == nil, position < end {
                    if head == nil {
                        guard let found = try parser.parse(bytes.extracting(position...)) else { break }
                        position += found.length
                        head = HeadReading.Head(found)
                        decoder = BodyDecoder(found.framing, limits: .init())
                    }
                    while let data = try decoder?.next(bytes, from: &position) { body += input[data] }
                    guard decoder?.isFinished ?? true, let whole = head else { break }
                    messages.append(Message(head: whole, body: body))
                    (head, body) = (nil, [])
                }
            } catch {
                self.error = error
            }
            try require(start <= position && position <= end, "at \(position) after \(start) of \(end) bytes")
            guard error == nil else { break }
        }
        for message in messages {
            if case .length(let length) = message.head.framing {
                try require(message.body.count == length, "\(message.body.count) bytes of \(length)")
            } else if message.head.framing == .none {
                try require(message.body.isEmpty, "a body without a length")
            }
        }
    }
}
