import Backlot

@testable import BacklotHTTP

extension FuzzTarget {
    /// What a server answers to a client, over HTTP/1 where it begins so, else over HTTP/2: no cut matters, and no limit is
    /// exceeded.
    static let responses = FuzzTarget(name: "answers") { input async throws(Violation) in
        // Beyond it, HTTP/2 may have more acknowledgements waiting than the library allows, unlike in pieces.
        let input = Array(input.prefix(8192))
        let whole = try ReadResponse(input, cuts: [])
        for cuts in Cuts.some(of: input) {
            let inPieces = try ReadResponse(input, cuts: cuts)
            try require(inPieces == whole, "cut at \(cuts.prefix(3)): \(inPieces), not \(whole)")
        }
        return whole.status != nil
    }
}

/// An answer as a client reads it; without a status where it isn't one.
private struct ReadResponse: Equatable {
    private(set) var status: HTTPResponse.Status?
    private(set) var headers = HTTPFields()
    private(set) var body: [UInt8] = []

    private static let bounds = ClientBounds(head: 512, body: 1024, idle: .seconds(1), total: .seconds(1))
    private static let request = OutgoingRequest(
        method: .post,
        target: "/",
        authority: "h",
        headers: [:],
        body: [1, 2, 3],
        waitsForContinue: true
    )

    init(_ input: [UInt8], cuts: [Int]) throws(Violation) {
        let wire: any HTTPClientCodec =
            input.starts(with: "HTT".utf8)
            ? HTTP1Client(bounds: Self.bounds)
            : HTTP2Client(scheme: "http", bounds: Self.bounds)
        do throws(ClientConnectionError) {
            try Self.read(input, cuts, wire)
        } catch {
            return
        }
        let body = wire.takeBody()
        try require(body.count <= Self.bounds.body, "\(body.count) bytes of a body")
        guard let (status, fields) = wire.response else {
            throw Violation(description: "an answer without a head")
        }
        // The bytes as they came: those that are no UTF-8 take three each in a text.
        try require(fields.bytes.count <= Self.bounds.head, "\(fields.bytes.count) bytes of a head")
        (self.status, self.headers, self.body) = (status, HTTPFields(fields), body)
    }

    private static func read(
        _ input: [UInt8],
        _ cuts: [Int],
        _ wire: any HTTPClientCodec
    ) throws(ClientConnectionError) {
        try wire.begin(request)
        _ = wire.takeOutput()
        var (start, hasBody) = (0, false)
        for end in cuts + [input.count] where end > start {
            try wire.receive(input.span.extracting(start..<end))
            if wire.isContinued, !hasBody {
                hasBody = true
                wire.send([1, 2, 3])
                wire.endBody()
            }
            _ = wire.takeOutput()
            if wire.isFinished { return }
            start = end
        }
        try wire.end()
    }
}
