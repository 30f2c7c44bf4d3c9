import TestSupport

@testable import BacklotHTTP

extension FuzzTarget {
    /// Compressed bodies, of gzip unless they look like zlib's format: no cut matters, no body grows beyond its ratio, and what
    /// comes out is what a decoder of other making says.
    static let inflation = FuzzTarget(name: "inflation") { input async throws(Violation) in
        let coding = input.first == 0x78 ? ContentCoding.deflate : .gzip
        let reading = try InflationReading(input, coding, cuts: [])
        for cuts in Cuts.some(of: input) {
            let inPieces = try InflationReading(input, coding, cuts: cuts)
            // Of two mistakes, the one that is found first depends on the pieces.
            try require(inPieces.body == reading.body, "cut at \(cuts.prefix(3)): \(inPieces), not \(reading)")
        }
        guard let body = reading.body else { return false }
        let peer = try? coding == .gzip ? ReferenceInflater.gunzip(input) : ReferenceInflater.inflate(input)
        // gzip may have several members, which the other one doesn't know; the ratio it doesn't know either.
        if let peer { try require(peer == body, "\(body.count) bytes, not \(peer.count)") }
        return true
    }
}

private struct InflationReading {
    private static let ratio = 100

    private(set) var body: [UInt8]?
    private(set) var error: ContentCodingError?

    init(_ input: [UInt8], _ coding: ContentCoding, cuts: [Int]) throws(Violation) {
        var body: [UInt8] = []
        do throws(ContentCodingError) {
            var inflation = try Inflation([coding], ratio: Self.ratio)
            var start = 0
            for end in cuts + [input.count] where end > start {
                inflation.feed(Array(input[start..<end]))
                start = end
                reading: while true {
                    switch try inflation.step() {
                    case .piece(let piece): body += piece
                    case .working: break
                    case .wantsInput: break reading
                    }
                }
            }
            try inflation.finish()
            self.body = body
        } catch {
            self.error = error
        }
        let most = max(Inflation.grace, input.count * (Self.ratio + 1)) + Inflation.pieceSize
        try require(body.count <= most, "\(body.count) bytes from \(input.count)")
    }
}
