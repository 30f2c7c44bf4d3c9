internal import Logging

/// Writes a line of the log for each request.
final class RequestLog: Sendable {
    let logger: Logger
    private let level: Logger.Level
    /// Few, and most of another length than a request's path: to hash the path would take longer.
    private let quietPaths: [String]
    /// Where our own handler writes, if it writes JSON: it gets the same line without metadata being made first, in a third of
    /// the time.
    private let lines: LogLines?

    init(_ logger: Logger, quietPaths: Set<String>) {
        self.logger = logger
        level = logger.logLevel
        self.quietPaths = Array(quietPaths)
        let handler = logger.handler as? LineLogHandler
        lines =
            handler?.format == .json && handler?.metadata.isEmpty == true && handler?.metadataProvider == nil
            ? handler?.lines : nil
    }

    /// - Parameter error: what the handler has thrown unexpectedly.
    func note(_ outcome: RequestOutcome, _ error: (any Error)?) {
        let isQuiet = outcome.status < 500 && isQuiet(outcome.path)
        let hasFailed = error != nil || outcome.storeFailure != nil
        let level: Logger.Level = hasFailed ? .error : outcome.status >= 500 ? .warning : isQuiet ? .debug : .info
        guard level >= self.level else { return }
        if let lines, error == nil {
            lines.write(level) { outcome.write(into: &$0) }
        } else {
            logger.log(level: level, "\(outcome.message)", error: error, metadata: outcome.metadata)
        }
    }

    private func isQuiet(_ path: String) -> Bool {
        quietPaths.contains { $0.utf8.count == path.utf8.count && $0 == path }
    }
}

extension RequestOutcome {
    fileprivate var message: String { "\(method) \(loggedPath) \(status)" }

    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request-id": .string(id.text),
            "status": .stringConvertible(status),
            "duration-ms": .stringConvertible(milliseconds),
        ]
        if let source {
            metadata["mock"] = source.mock.map { .string($0) }
            metadata["fault"] = source.fault.map { .string($0) }
        } else {
            metadata["route"] = .string(route)
        }
        if let bytes { metadata["bytes"] = .stringConvertible(bytes) }
        // Not "session" alone, which readers may take for the id.
        if let session { metadata["session-hash"] = .string(session.hexadecimal) }
        if let storeFailure { metadata["session-store"] = .string(storeFailure) }
        return metadata
    }

    /// Writes the message and the same metadata as members of an object.
    fileprivate func write(into writer: inout JSONWriter) {
        writer.field("message") {
            $0.piece(method)
            $0.piece(" ")
            $0.piece(loggedPath)
            $0.piece(" ")
            $0.piece(status)
        }
        writer.field("request-id") {
            switch id {
            case .given(let text): $0.piece(text)
            case .own(let number): $0.piece(ascii: number.hexadecimalDigits.span)
            }
        }
        if let source {
            writer.field("mock", source.mock)
            writer.field("fault", source.fault)
        } else {
            writer.field("route", route)
        }
        writer.field("status", status)
        writer.field("duration-ms", milliseconds)
        writer.field("bytes", bytes)
        writer.field("session-hash", session?.hexadecimal)
        writer.field("session-store", storeFailure)
    }
}
