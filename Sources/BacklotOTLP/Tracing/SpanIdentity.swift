internal import Backlot
internal import Tracing

/// The identity of a span as other processes see it, in the form of W3C Trace Context (https://www.w3.org/TR/trace-context/).
struct SpanIdentity: Sendable, Equatable {
    let trace: TraceID
    let span: UInt64
    let isSampled: Bool
    /// The entries of tracing systems in `tracestate`; empty without entries.
    var state = ""
    /// Whether the span belongs to another process.
    var isRemote = false

    /// The flags of a span's record: the trace's flags, and whether its parent is remote.
    ///
    /// - Parameter parent: the span's parent; nil for the first span of a trace.
    func flags(parent: SpanIdentity?) -> UInt32 {
        (isSampled ? 1 : 0) | (parent == nil ? 0 : 0x100) | (parent?.isRemote ?? false ? 0x200 : 0)
    }
}

/// The number of a trace: 128 bits, never zero.
struct TraceID: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    static func random() -> TraceID {
        TraceID(high: .random(in: .min ... .max), low: .random(in: 1 ... .max))
    }

    var words: [UInt64] { [high, low] }
    var hexadecimal: String { high.hexadecimal + low.hexadecimal }
}

extension SpanIdentity {
    static let parentField = "traceparent"
    static let stateField = "tracestate"
    /// The maximum number of entries in the state, and the state's maximum length in bytes.
    private static let mostMembers = 32
    private static let longestState = 512

    /// The value of `traceparent`.
    var parentValue: String { "00-\(trace.hexadecimal)-\(span.hexadecimal)-0\(isSampled ? 1 : 0)" }

    /// The identity from the fields of a request.
    ///
    /// - Parameters:
    ///   - parent: the value of `traceparent`.
    ///   - state: the values of `tracestate`, joined by commas. A malformed state is left out.
    /// - Returns: nil for a malformed parent. A new trace then begins here.
    init?(parent: String, state: String?) {
        let parts = parent.split(separator: "-", omittingEmptySubsequences: false)
        func number(_ digits: Substring) -> UInt64? { UInt64(digits, radix: 16) }
        guard parts.count == 4 || parts.count > 4 && parts[0] != "00", parts[0] != "ff",
            zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(Self.isDigit) }),
            let high = number(parts[1].prefix(16)), let low = number(parts[1].suffix(16)),
            let span = number(parts[2]), let flags = number(parts[3]), high != 0 || low != 0, span != 0
        else { return nil }
        self.init(
            trace: TraceID(high: high, low: low),
            span: span,
            isSampled: flags & 1 == 1,
            state: state.flatMap(Self.checked) ?? "",
            isRemote: true
        )
    }

    /// Whether a byte is a hexadecimal digit in lower case.
    private static func isDigit(_ byte: UInt8) -> Bool { "0123456789abcdef".utf8.contains(byte) }

    /// The state; nil if it must not be passed on (section 3.3.1).
    private static func checked(_ state: String) -> String? {
        guard state.utf8.count <= longestState else { return nil }
        let members = state.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
            .filter { !$0.isEmpty }
        guard members.count <= mostMembers, members.allSatisfy(isMember) else { return nil }
        return members.joined(separator: ",")
    }

    private static func isMember(_ member: Substring) -> Bool {
        guard let sign = member.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let (key, value) = (member.utf8[..<sign], member.utf8[member.utf8.index(after: sign)...])
        let isKey = key.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "_-*/@".utf8.contains(byte)
            }
        }
        return isKey && (1...256).contains(key.count) && (1...256).contains(value.count)
            && value.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }
}

private enum SpanIdentityKey: ServiceContextKey {
    typealias Value = SpanIdentity
    static let nameOverride: String? = "otlp-span"
}

extension ServiceContext {
    /// The parent of new spans; nil outside of a span.
    var spanIdentity: SpanIdentity? {
        get { self[SpanIdentityKey.self] }
        set { self[SpanIdentityKey.self] = newValue }
    }
}
