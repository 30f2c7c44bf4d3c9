import TestSupport
import Testing

/// Frames that a client may not send, and what the server must make of them.
struct HTTP2Case: Sendable, CustomTestStringConvertible {
    enum Verdict: Equatable, Sendable {
        /// A GOAWAY frame with this code, and the end of the connection.
        case connection(ErrorCode)
        /// A RST_STREAM frame with this code; the connection goes on.
        case stream(ErrorCode)
        /// One or the other, with one of these codes: the protocol leaves a choice.
        case either([ErrorCode])
        /// An answer with this status; the connection goes on.
        case response(Int)
        /// Nothing; the connection goes on.
        case nothing
    }

    /// The section that says so, and what is wrong.
    let name: String
    let bytes: [UInt8]
    let verdict: Verdict

    init(_ name: String, _ verdict: Verdict, _ frames: Frame...) {
        self.name = name
        self.verdict = verdict
        bytes = frames.flatMap { $0.bytes() }
    }

    init(_ name: String, _ verdict: Verdict, bytes: [UInt8]) {
        self.name = name
        self.verdict = verdict
        self.bytes = bytes
    }

    var testDescription: String { name }
}

extension HTTP2Case {
    /// What the server made of the frames, as a client sees it.
    static func verdict(_ client: HTTP2Client, hasResponse: Bool = false) async throws -> Verdict {
        var isSecondPing = false
        while let frame = try await client.next() {
            switch frame.kind {
            case .goAway:
                let code = frame.errorCode.flatMap(ErrorCode.init) ?? .none
                let rest = try await client.receiveToEnd()
                let end = await client.end
                #expect(rest.isEmpty && end == .closed, "after a GOAWAY comes \(rest), \(String(describing: end))")
                return .connection(code)
            case .reset where frame.errorCode != 0: return .stream(frame.errorCode.flatMap(ErrorCode.init) ?? .none)
            case .headers where frame.stream == 1:
                return .response(await client.status(on: 1))
            case .ping where hasResponse: break
            case .ping where isSecondPing: return .nothing
            case .ping:
                // Answers to PING come before everything else that was due with them.
                isSecondPing = true
                try await client.send(.ping())
            default: break
            }
        }
        Issue.record("the connection ended without a word")
        return .nothing
    }
}

extension HTTP2Case.Verdict {
    var isResponse: Bool {
        if case .response = self { true } else { false }
    }

    func allows(_ other: Self) -> Bool {
        switch (self, other) {
        case (.either(let codes), .connection(let code)), (.either(let codes), .stream(let code)): codes.contains(code)
        default: self == other
        }
    }
}
