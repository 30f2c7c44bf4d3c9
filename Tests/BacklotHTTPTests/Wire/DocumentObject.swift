import HTTPTypes

@testable import BacklotHTTP

/// Takes a client's bytes apart with the parsers alone, as a connection does with pieces that arrive.
struct DocumentObject {
    /// What the handler of these tests would answer, and last the status of a refusal.
    private(set) var responses: [String] = []
    private var parser = HeadParser(limits: .init())
    private var message: (head: HeadSummary, decoder: BodyDecoder?)?
    private var body: [UInt8] = []
    /// Where the next message begins, or the rest of the body at hand.
    private var position = 0
    private var isClosed = false

    /// Feeds all of `wire`, with a pause at each of `cuts`, and then the end of the connection.
    static func responses(to wire: [UInt8], cuts: some Sequence<Int>) -> [String] {
        var reader = DocumentObject()
        for cut in cuts { reader.read(wire.span.extracting(..<cut)) }
        reader.read(wire.span)
        if !reader.isClosed, reader.message != nil { reader.refuse(.incomplete) }
        return reader.responses
    }

    private mutating func read(_ input: Span<UInt8>) {
        do throws(RequestError) {
            while !isClosed, position < input.count, try step(input) {}
        } catch {
            refuse(error)
        }
    }

    private mutating func refuse(_ error: RequestError) {
        responses.append("\(error.status.code)")
        isClosed = true
    }

    /// - Returns: false while bytes are missing.
    private mutating func step(_ input: Span<UInt8>) throws(RequestError) -> Bool {
        if message == nil {
            guard let head = try parser.parse(input.extracting(position...)) else { return false }
            position += head.length
            let limits = ServerConfiguration.Limits()
            if case .length(let length) = head.framing, length > limits.body {
                throw .bodyTooLarge(limit: limits.body)
            }
            message = (HeadSummary(head), BodyDecoder(head.framing, limits: limits))
        }
        if var decoder = message?.decoder {
            defer { message?.decoder = decoder }
            while let data = try decoder.next(input, from: &position) { body.append(copying: input.extracting(data)) }
            guard decoder.isFinished else { return false }
        }
        finish()
        return true
    }

    private mutating func finish() {
        guard let head = message?.head else { return }
        responses.append(WireCase.saw("\(head.method) \(head.target)", spelled(body)))
        message = nil
        body = []
        isClosed = !head.isPersistent
    }
}
