@testable import BacklotHTTP

extension FuzzTarget {
    /// The chunked decoder: no cut matters, it accepts what the plain grammar accepts and nothing else, and it never reads on
    /// after the body's end.
    static let chunked = FuzzTarget(name: "chunked") { input async throws(Violation) in
        try read(input, FuzzLimits.tiny)
        return try read(input, FuzzLimits.defaults)
    }

    @discardableResult
    private static func read(_ input: [UInt8], _ limits: ServerConfiguration.Limits) throws(Violation) -> Bool {
        let reading = try ChunkedReading(input, cuts: [], limits)
        for cuts in Cuts.some(of: input) {
            let inPieces = try ChunkedReading(input, cuts: cuts, limits)
            try require(inPieces == reading, "cut at \(cuts.prefix(3)): \(inPieces), not \(reading)")
        }
        let grammar = ChunkedGrammar(input, limits)
        try require(grammar?.length == reading.length, "\(reading), against the grammar")
        if let grammar {
            try require(grammar.body == reading.body, "another body: \(spelled(reading.body).debugDescription)")
        }
        return reading.length != nil
    }
}

private struct ChunkedReading: Equatable {
    private(set) var body: [UInt8] = []
    /// How many bytes the body took up; nil when it is not whole.
    private(set) var length: Int?
    private(set) var error: RequestError?

    init(_ input: [UInt8], cuts: [Int], _ limits: ServerConfiguration.Limits) throws(Violation) {
        var decoder = ChunkedDecoder(limits: limits)
        var position = 0
        for end in cuts + [input.count] where error == nil {
            let start = position
            do throws(RequestError) {
                while let data = try decoder.next(input.span.extracting(..<end), from: &position) {
                    body += input[data]
                }
            } catch {
                self.error = error
            }
            try require(start <= position && position <= end, "at \(position) after \(start) of \(end) bytes")
            try require(position == end || decoder.isFinished || error != nil, "stopped at \(position) of \(end) bytes")
        }
        length = decoder.isFinished ? position : nil
    }
}
