import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct HeadParserLimitsTests {
    private func makeLimits(_ change: (inout ServerConfiguration.Limits) -> Void) -> ServerConfiguration.Limits {
        var limits = ServerConfiguration.Limits()
        change(&limits)
        return limits
    }

    private func expectLimit(
        _ limits: ServerConfiguration.Limits,
        accepts most: [UInt8],
        refuses tooMuch: [UInt8],
        _ error: RequestError,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .accepted = HeadVerdict(most, limits: limits) else {
            Issue.record("refused at the limit: \(HeadVerdict(most, limits: limits))", sourceLocation: sourceLocation)
            return
        }
        #expect(HeadVerdict(tooMuch, limits: limits) == .refused(error), sourceLocation: sourceLocation)
        expectSameVerdictWhenCut(most, limits: limits, sourceLocation: sourceLocation)
        expectSameVerdictWhenCut(tooMuch, limits: limits, sourceLocation: sourceLocation)
    }

    @Test func `The request line is limited`() {
        let limits = makeLimits { $0.requestLine = 40 }
        func head(_ count: Int) -> [UInt8] {
            makeHead("GET /\(String(repeating: "a", count: count - 14)) HTTP/1.1")
        }
        expectLimit(limits, accepts: head(40), refuses: head(41), .targetTooLong(limit: 40))
        expectLimit(
            limits,
            accepts: bytes("\r\n") + head(40),
            refuses: bytes("\r\n") + head(41),
            .targetTooLong(limit: 40)
        )
    }

    @Test func `A request line without an end is refused once it is too long`() {
        let limits = makeLimits { $0.requestLine = 40 }
        let endless = bytes("GET /") + [UInt8](repeating: UInt8(ascii: "a"), count: 36)
        #expect(HeadVerdict(Array(endless.dropLast()), limits: limits) == .incomplete)
        #expect(HeadVerdict(endless, limits: limits) == .refused(.targetTooLong(limit: 40)))
    }

    /// No target is too long where none has begun.
    @Test(arguments: ["", " / HTTP/1.1\r\nHost: h\r\n\r\n", "\r\n", " "])
    func `A method that is too long is malformed`(rest: String) {
        let limits = makeLimits { $0.requestLine = 40 }
        let malformed = HeadVerdict.refused(.malformed("the method is longer than 40 bytes"))
        for (count, isRefused) in [(39, false), (40, false), (41, true), (100_000, true)]
        where isRefused || rest.isEmpty {
            let text = [UInt8](repeating: UInt8(ascii: "A"), count: count) + bytes(rest)
            #expect(HeadVerdict(text, limits: limits) == (isRefused ? malformed : .incomplete))
            if count < 100 { expectSameVerdictWhenCut(text, limits: limits) }
        }
    }

    @Test func `The head is limited up to the end of its last line`() {
        // The limit counts up to the line ending of the last line.
        func head(_ count: Int) -> [UInt8] {
            makeHead("GET / HTTP/1.1", "A: \(String(repeating: "a", count: count - 28))")
        }
        let limits = makeLimits { $0.head = 200 }
        expectLimit(limits, accepts: head(198), refuses: head(201), .headTooLarge(limit: 200))
        let endless = Array(head(300)[..<201])
        #expect(HeadVerdict(endless, limits: limits) == .refused(.headTooLarge(limit: 200)))
    }

    @Test func `A continued line behind the limit is refused for the limit`() {
        let lines = bytes("GET / HTTP/1.1\r\nHost: h\r\n")
        let limits = makeLimits { $0.head = lines.count - 1 }
        let head = lines + bytes(" a\r\n\r\n")
        #expect(HeadVerdict(head, limits: limits) == .refused(.headTooLarge(limit: lines.count - 1)))
        expectSameVerdictWhenCut(head, limits: limits)
    }

    @Test func `The largest head that can be configured is accepted`() {
        let limits = makeLimits {
            $0.head = 65_535
            $0.requestLine = 65_535
        }
        let value = String(repeating: "v", count: 65_535 - 28)
        let most = makeHead("GET / HTTP/1.1", "A: \(value)")
        guard case .refused = HeadVerdict(makeHead("GET / HTTP/1.1", "A: \(value)vvv"), limits: limits) else {
            Issue.record("a head beyond the limit was accepted")
            return
        }
        switch HeadVerdict(most, limits: limits) {
        case .accepted(let summary): #expect(summary.fields.last == "A: \(value)")
        case .refused(let error): #expect(error == .headTooLarge(limit: 65_535))
        case .incomplete: Issue.record("incomplete")
        }
    }

    @Test func `The number of fields is limited`() {
        let limits = makeLimits { $0.fields = 3 }
        let error = RequestError.tooManyFields(limit: 3)
        let most = makeHead("GET / HTTP/1.1", "A: b", "C: d")
        expectLimit(limits, accepts: most, refuses: makeHead("GET / HTTP/1.1", "A: b", "C: d", "E: f"), error)
    }

    @Test func `The number of leading empty lines is limited`() {
        let limits = makeLimits { $0.leadingEmptyLines = 2 }
        let error = RequestError.malformed("too many empty lines before a request")
        let head = makeHead()
        expectLimit(limits, accepts: bytes("\r\n\r\n") + head, refuses: bytes("\r\n\r\n\r\n") + head, error)
    }

    @Test func `Empty lines don't count towards the head`() {
        let limits = makeLimits { $0.head = 30 }
        guard case .accepted = HeadVerdict(bytes("\r\n\r\n\r\n\r\n") + makeHead(), limits: limits) else {
            Issue.record("refused")
            return
        }
    }
}
