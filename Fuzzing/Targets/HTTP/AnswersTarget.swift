import Backlot

@testable import BacklotHTTP

extension FuzzTarget {
    /// What a server answers to a client, over HTTP/1 where it begins so, else over HTTP/2: no cut matters, and no limit is
    /// exceeded.
    static let answers = FuzzTarget(name: "answers") { input async throws(Violation) in
        // Beyond it, HTTP/2 may have more acknowledgements waiting than the library allows, unlike in pieces.
        let input = Array(input.prefix(8192))
        let whole = try ReadAnswer(input, cuts: [])
        for cuts in Cuts.some(of: input) {
            let inPieces = try ReadAnswer(input, cuts: cuts)
            try require(inPieces == whole, "cut at \(cuts.prefix(3)): \(inPieces), not \(whole)")
        }
        return whole.status != nil
    }
}

/// An answer as a client reads it; without a status where it isn't one.
private struct ReadAnswer: Equatable {
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
        var exchange: any OutgoingExchange =
            input.starts(with: "HTT".utf8)
            ? HTTP1Exchange(Self.request, bounds: Self.bounds)
            : HTTP2Exchange(Self.request, scheme: "http", bounds: Self.bounds)
        do throws(ClientFault) {
            try Self.read(input, cuts, &exchange)
        } catch {
            return
        }
        try require(exchange.body.count <= Self.bounds.body, "\(exchange.body.count) bytes of a body")
        guard let (status, headers) = exchange.response else {
            throw Violation(description: "an answer without a head")
        }
        let size = headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        try require(size <= Self.bounds.head, "\(size) bytes of a head")
        (self.status, self.headers, body) = (status, headers, exchange.body)
    }

    private static func read(
        _ input: [UInt8],
        _ cuts: [Int],
        _ exchange: inout any OutgoingExchange
    ) throws(ClientFault) {
        _ = exchange.takeOutput()
        var start = 0
        for end in cuts + [input.count] where end > start {
            var progress = try exchange.receive(input.span.extracting(start..<end))
            while progress == .continue {
                exchange.releaseBody()
                progress = try exchange.resume()
            }
            _ = exchange.takeOutput()
            if progress == .finished { return }
            start = end
        }
        try exchange.end()
    }
}
