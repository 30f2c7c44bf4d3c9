internal import Logging

/// Writes a log line for each request.
final class RequestLog: Sendable {
    /// The maximum length of a path that is logged in full, in bytes.
    static let longestPath = 200

    let logger: Logger
    /// The logger's name, as JSON.
    let label: String
    private let threshold: LogThreshold?
    private var level: Logger.Level { threshold?.level ?? logger.logLevel }
    /// An array, because there are few, mostly of another length than a request's path. Hashing the path would take longer.
    private let quietPaths: [String]
    /// The output of our own handler, if it writes JSON: it gets the same line without the cost of metadata.
    private let output: LogOutput?

    init(_ logger: Logger, quietPaths: Set<String>) {
        self.logger = logger
        label = "\(JSONValue.string(logger.label))"
        self.quietPaths = Array(quietPaths)
        let handler = logger.handler as? LineLogHandler
        threshold = handler?.threshold
        let isPlain = handler?.metadata.isEmpty == true && handler?.metadataProvider == nil
        output = isPlain && handler?.format == .json ? handler?.output : nil
    }

    func isQuiet(_ path: String) -> Bool { quietPaths.contains(path) }

    /// Logs a request that took an unusual way, such as a failed one, through the logger.
    func note(_ request: Request, _ outcome: RequestOutcome) {
        let rare = outcome.observation.rare
        let hasFailed = outcome.error != nil || rare?.failure != nil
        let level = hasFailed ? .error : level(of: request, outcome.kind)
        guard level >= self.level else { return }
        logger.log(
            level: level,
            "\(request.method) \(Self.shown(request.path)) \(outcome.kind.status)",
            error: outcome.error,
            metadata: outcome.metadata(rare, RequestClient(request))
        )
    }

    private func level(of request: Request, _ kind: RequestKind) -> Logger.Level {
        if let level = kind.level { return level }
        let count = request.withPath { $0.count }
        let isQuiet = quietPaths.contains { $0.utf8.count == count && request.hasPath(beginningWith: $0) }
        return isQuiet ? .debug : .info
    }

    /// Writes the line of a request like `LineLogHandler`, with the same members.
    ///
    /// - Returns: whether the line was written, or must not be; false for a request that `note` must log.
    func write(
        _ request: Request,
        _ kind: RequestKind,
        _ observation: RequestObservation,
        bytes: Int?,
        microseconds: Int
    ) -> Bool {
        let level = level(of: request, kind)
        guard level >= self.level else { return true }
        let rare = observation.rare
        guard let output, rare?.failure == nil, level == kind.level ?? .info, kind.hasKnownMethod else { return false }
        let (line, id, session) = (kind.line, observation.id, observation.session)
        let path = kind.pathCount == request.pathCount ? nil : Self.shown(request)
        let client = RequestClient(request)
        let dropped = output.write(isUrgent: false) { lines, time in
            let start = lines.count
            if let path {
                lines += line.text[..<line.path.lowerBound]
                lines += path
                lines += line.text[line.path.upperBound...]
            } else {
                lines += line.text
            }
            let idPlace = lines.count - line.text.count + line.id
            if case .given(let id) = id {
                lines.replaceSubrange(idPlace..<(idPlace + 16), with: id.utf8)
            }
            if let source = rare?.source {
                lines.removeLast(line.text.count - line.id - 16)
                lines += source.members + line.end
            }
            var place = lines.count - RequestKind.Line.room
            var bytesOfLine = lines.mutableSpan
            bytesOfLine.put(time.span, at: start + line.time)
            if case .own(let number) = id { bytesOfLine.put(number.hexadecimalDigits.span, at: idPlace) }
            bytesOfLine.put(milliseconds: microseconds, at: &place)
            if let bytes {
                bytesOfLine.put(#","bytes":"#, at: &place)
                bytesOfLine.put(decimal: bytes, at: &place)
            }
            if let session {
                bytesOfLine.put(#","session-hash":""#, at: &place)
                bytesOfLine.put(session.hexadecimalDigits.span, at: place)
                place += 16
                bytesOfLine.put("\"", at: &place)
            }
            lines.removeLast(lines.count - place)
            client.append(to: &lines)
        }
        if dropped > 0, let warning = LogOutput.warning(dropped: dropped) { logger.handler.log(event: warning) }
        return true
    }

    /// The logged part of a request's path, as JSON.
    private static func shown(_ request: Request) -> [UInt8] {
        let plain = request.withPath { path in isPlain(path) ? path.indices.map { path[$0] } : nil }
        return plain ?? Array("\(JSONValue.string(shown(request.path)))".utf8.dropFirst().dropLast())
    }

    /// Whether a path is logged unchanged.
    private static func isPlain(_ path: Span<UInt8>) -> Bool {
        guard path.count <= longestPath else { return false }
        for index in path.indices {
            let byte = path[index]
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    /// The logged part of a path.
    private static func shown(_ path: String) -> String {
        path.utf8.count <= longestPath ? path : "\(path.prefix(longestPath))…"
    }
}

/// The outcome of a request.
struct RequestOutcome {
    let kind: RequestKind
    let observation: RequestObservation
    /// The size of the body; nil if unknown.
    let bytes: Int?
    let microseconds: Int
    /// The unexpected error of the handler.
    let error: (any Error)?

    fileprivate func metadata(_ rare: RequestObservation.Rare?, _ client: RequestClient) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request-id": .string(observation.id.text),
            "status": .stringConvertible(kind.status),
            "duration-ms": .stringConvertible(Double(microseconds) / 1000),
        ]
        if let source = rare?.source {
            metadata["mock"] = source.mock.map { .string($0) }
            metadata["fault"] = source.fault.map { .string($0) }
        } else {
            metadata["route"] = .string(kind.path ?? "*")
        }
        if let bytes { metadata["bytes"] = .stringConvertible(bytes) }
        // Not "session" alone, which readers may take for the id.
        if let session = observation.session { metadata["session-hash"] = .string(session.hexadecimal) }
        if let failure = rare?.failure { metadata["session-store"] = .string(failure) }
        metadata["client-address"] = .string(client.address)
        metadata["protocol"] = .string(client.version)
        metadata["tls"] = client.tls.map { .string($0) }
        metadata["user-agent"] = client.agent.map { .string($0) }
        return metadata
    }
}

/// The facts in logs and spans about the sender of a request.
struct RequestClient {
    /// The longest name of a program in a log, in bytes.
    private static let longestAgent = 200

    private let host: SocketAddress
    private let number: StaticString
    /// The version of TLS; nil in clear text, and behind a proxy that encrypts.
    let tls: String?
    /// The program; nil for a client that doesn't name one.
    let agent: String?

    /// The request is borrowed: a copy would take its references.
    init(_ request: borrowing Request) {
        (host, number, tls) = (request.clientAddress, request.headers.version, request.tls?.version)
        agent = request.hasField("user-agent") ? request.headers[.userAgent].map(Self.shown) : nil
    }

    /// The client's address, behind proxies that the server trusts.
    var address: String { host.host }
    /// The version of HTTP, such as `HTTP/1.1` or `HTTP/2`.
    var version: String { "HTTP/\(number)" }

    /// Characters are counted only in a long name, because that takes time.
    private static func shown(_ agent: String) -> String {
        agent.utf8.count <= longestAgent ? agent : String(agent.prefix(longestAgent))
    }

    /// Appends these members, and the last brace, to a line in JSON.
    func append(to line: inout [UInt8]) {
        line += ",\"client-address\":\"".utf8
        host.appendHost(to: &line)
        line += "\",\"protocol\":\"HTTP/".utf8
        number.withUTF8Buffer { unsafe line.append(contentsOf: $0) }
        if let tls {
            line += "\",\"tls\":\"".utf8
            line += tls.utf8
        }
        line += "\"".utf8
        if let agent {
            line += ",\"user-agent\":".utf8
            line += "\(JSONValue.string(agent))".utf8
        }
        line += "}\n".utf8
    }
}

/// Pieces of a line that are written over what stands there.
extension MutableSpan where Element == UInt8 {
    /// Writes a whole number of words.
    @inline(__always)
    fileprivate mutating func put(_ words: Span<UInt8>, at place: Int) {
        var target = unsafe mutableBytes
        for offset in stride(from: 0, to: words.count, by: 8) {
            let word = unsafe words.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            target.storeBytes(of: word, toByteOffset: place + offset, as: UInt64.self)
        }
    }

    @inline(__always)
    fileprivate mutating func put(_ text: StaticString, at place: inout Int) {
        for offset in 0..<text.utf8CodeUnitCount { self[place + offset] = unsafe text.utf8Start[offset] }
        place += text.utf8CodeUnitCount
    }

    fileprivate mutating func put(decimal number: Int, at place: inout Int) {
        var (rest, end) = (number, place + 1)
        while rest >= 10 { (rest, end) = (rest / 10, end + 1) }
        (rest, place) = (number, end)
        repeat {
            end -= 1
            self[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    /// Writes milliseconds as a decimal fraction without zeros at its end.
    fileprivate mutating func put(milliseconds microseconds: Int, at place: inout Int) {
        put(decimal: microseconds / 1000, at: &place)
        let rest = microseconds % 1000
        guard rest > 0 else { return }
        self[place] = UInt8(ascii: ".")
        self[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100)
        self[place + 2] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 10 % 10)
        self[place + 3] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        place += rest % 100 == 0 ? 2 : rest % 10 == 0 ? 3 : 4
    }
}
