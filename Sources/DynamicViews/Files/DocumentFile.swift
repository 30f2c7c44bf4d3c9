import Backlot
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document in a file, which is read leniently. Changes take effect at once; while the file is broken, clients get its last good
/// version.
final class DocumentFile: Sendable {
    /// The reasons why a file doesn't hold a document, one per line.
    struct ReadingError: Error {
        let text: String
    }

    private struct Version {
        let bytes: [UInt8]
        let document: Document
    }

    private struct State {
        var good: Version
        /// The last broken content, so that it is logged once.
        var broken: [UInt8]?
    }

    private let path: String
    /// The dialects of the clients that get the document. The file itself uses the first one.
    private let dialects: [Dialect]
    private let logger: Logger
    private let state: Locked<State>

    /// Reads the file for the first time.
    ///
    /// - Parameter dialects: the dialects of the clients that get the document. The file itself uses the first one.
    init(_ path: String, for dialects: [Dialect], logger: Logger) throws(ReadingError) {
        self.path = path
        self.dialects = dialects
        self.logger = logger
        let bytes = try Self.read(path)
        let document = try Self.document(bytes, path, dialects, logger)
        state = Locked(State(good: Version(bytes: bytes, document: document)))
    }

    /// The document in the current file.
    func document() async throws -> Document {
        try await Blocking.run {
            do throws(ReadingError) {
                return self.renewed(with: try Self.read(self.path))
            } catch {
                return self.kept(after: error, broken: [])
            }
        }
    }

    private func renewed(with bytes: [UInt8]) -> Document {
        let (good, broken) = state.withLock { ($0.good, $0.broken) }
        if good.bytes == bytes {
            if broken != nil { state.withLock { $0.broken = nil } }
            return good.document
        }
        if broken == bytes { return good.document }
        do throws(ReadingError) {
            let version = Version(bytes: bytes, document: try Self.document(bytes, path, dialects, logger))
            state.withLock { $0 = State(good: version) }
            return version.document
        } catch {
            return kept(after: error, broken: bytes)
        }
    }

    private func kept(after mistake: ReadingError, broken bytes: [UInt8]) -> Document {
        let (document, isNew) = state.withLock { state in
            let isNew = state.broken != bytes
            state.broken = bytes
            return (state.good.document, isNew)
        }
        if isNew { logger.error("\(mistake.text)\nThe last good version of \(path) is served.") }
        return document
    }

    private static func read(_ path: String) throws(ReadingError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ReadingError(text: "\(path) can't be read")
        }
    }

    /// Reads a document. Logs the changes that reading needed, keys that clients ignore, and errors for clients of other dialects.
    /// Throws if clients of the document's own dialect would refuse it.
    private static func document(
        _ bytes: [UInt8],
        _ path: String,
        _ dialects: [Dialect],
        _ logger: Logger
    ) throws(ReadingError) -> Document {
        let imported: ImportedDocument
        do throws(JSONParseError) {
            imported = try ImportedDocument(parsing: bytes)
        } catch {
            throw ReadingError(text: "\(path):\(error.line):\(error.column): \(error.kind)")
        }
        let dialect = dialects[0]
        let findings = DynamicViewsRules.findings(in: imported, name: path, dialect: dialect)
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty else { throw ReadingError(text: errors.map(\.details).joined(separator: "\n")) }
        do throws(DocumentError) {
            let document = try Document(imported.value, dialect: dialect)
            for change in imported.changes { logger.notice("\(path): \(change)") }
            // The file may have keys of both dialects, because the document for each dialect leaves out the other's keys.
            for finding in findings where finding.rule != "key-of-other-dialect" { logger.notice("\(finding)") }
            for other in dialects.dropFirst() {
                if let warning = warning(about: document, path, for: other) { logger.warning("\(warning)") }
            }
            return document
        } catch {
            throw ReadingError(text: "\(path): \(error)")
        }
    }

    /// The errors of the document for the clients of another dialect; nil if they accept it.
    static func warning(about document: Document, _ path: String, for dialect: Dialect) -> String? {
        guard let value = try? JSONValue(parsing: document.bytes(for: dialect)) else { return nil }
        let errors = DynamicViewsRules.findings(in: value, name: path, dialect: dialect).filter {
            $0.severity == .error
        }
        if errors.isEmpty { return nil }
        let platform = dialect.platform.rawValue
        let own = "\(path.dropLast(".json".count)).\(platform).json"
        let heading = "\(path) isn't what \(platform) clients accept. Write \(own) for them."
        return ([heading] + errors.map(\.details)).joined(separator: "\n")
    }
}
