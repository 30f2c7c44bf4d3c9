internal import Logging

/// Writes a line of the log for each request.
final class RequestLog: Sendable {
    /// The longest path that is logged whole, in bytes.
    static let longestPath = 200

    let logger: Logger
    /// The logger's name, as JSON.
    let label: String
    private let level: Logger.Level
    /// Few, and most of another length than a request's path: to hash the path would take longer.
    private let quietPaths: [String]
    /// Where our own handler writes, if it writes JSON: it gets the same line without metadata being made first.
    private let output: LogOutput?

    init(_ logger: Logger, quietPaths: Set<String>) {
        self.logger = logger
        label = "\(JSONValue.string(logger.label))"
        level = logger.logLevel
        self.quietPaths = Array(quietPaths)
        let handler = logger.handler as? LineLogHandler
        let isPlain = handler?.metadata.isEmpty == true && handler?.metadataProvider == nil
        output = isPlain && handler?.format == .json ? handler?.output : nil
    }

    func isQuiet(_ path: String) -> Bool { quietPaths.contains(path) }

    /// Notes a request that took an unusual way, such as one that has failed, as any logger notes its events.
    func note(_ request: Request, _ outcome: RequestOutcome) {
        let rare = outcome.observation.rare
        let hasFailed = outcome.error != nil || rare?.failure != nil
        let level = hasFailed ? .error : level(of: request, outcome.kind)
        guard level >= self.level else { return }
        logger.log(
            level: level,
            "\(request.method) \(Self.shown(request.path)) \(outcome.kind.status)",
            error: outcome.error,
            metadata: outcome.metadata(rare)
        )
    }

    private func level(of request: Request, _ kind: RequestKind) -> Logger.Level {
        if let level = kind.level { return level }
        let count = request.withPath { $0.count }
        let isQuiet = quietPaths.contains { $0.utf8.count == count && request.hasPath(beginningWith: $0) }
        return isQuiet ? .debug : .info
    }

    /// Writes the line of a request as `LineLogHandler` would, with the same members.
    ///
    /// - Returns: whether it is written, or isn't to be; false for a request that is to be noted as any event.
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
        guard let output, rare?.failure == nil, level == kind.level ?? .info, kind.method != RequestKind.otherMethod
        else {
            return false
        }
        let (head, path) = request.pathBytes
        let (id, session, source, line) = (observation.id, observation.session, rare?.source, kind.line)
        let hasWholePath = kind.pathCount == path.count
        let dropped = output.write(isUrgent: false) { lines, time in
            JSONWriter.append(to: &lines, capacity: 512) { writer in
                writer.raw(#"{"time":""#)
                writer.piece(ascii: time.span)
                if hasWholePath {
                    writer.piece(ascii: line.whole)
                } else {
                    writer.piece(ascii: line.start)
                    Self.write(head.span.extracting(path), to: &writer)
                    writer.piece(ascii: line.status)
                }
                switch id {
                case .given(let text): writer.piece(text)
                case .own(let number): writer.piece(ascii: number.hexadecimalDigits.span)
                }
                if let source {
                    writer.piece(ascii: source.members)
                    writer.piece(ascii: line.end)
                } else {
                    writer.piece(ascii: line.route)
                }
                writer.piece(thousandths: microseconds)
                if let bytes {
                    writer.raw(#","bytes":"#)
                    writer.piece(bytes)
                }
                if let session {
                    writer.raw(#","session-hash":""#)
                    writer.piece(ascii: session.hexadecimalDigits.span)
                    writer.raw("\"")
                }
                writer.raw("}\n")
            }
        }
        if let warning = LogOutput.warning(dropped: dropped) { logger.handler.log(event: warning) }
        return true
    }

    /// Writes a path, as much of it as is logged.
    private static func write(_ path: Span<UInt8>, to writer: inout JSONWriter) {
        if isPlain(path) { writer.piece(ascii: path) } else { writer.piece(shown(path.string(0..<path.count))) }
    }

    /// Whether a path is logged as it was sent.
    private static func isPlain(_ path: Span<UInt8>) -> Bool {
        guard path.count <= longestPath else { return false }
        for index in path.indices {
            let byte = path[index]
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    /// A path, as much of it as is logged.
    private static func shown(_ path: String) -> String {
        path.utf8.count <= longestPath ? path : "\(path.prefix(longestPath))…"
    }
}

/// The outcome of a request.
struct RequestOutcome {
    let kind: RequestKind
    let observation: RequestObservation
    /// The size of the body; nil when it isn't known.
    let bytes: Int?
    let microseconds: Int
    /// What the handler has thrown unexpectedly.
    let error: (any Error)?

    fileprivate func metadata(_ rare: RequestObservation.Rare?) -> Logger.Metadata {
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
        return metadata
    }
}
