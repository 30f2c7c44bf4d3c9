import Backlot
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document in a file, which is read leniently. A change counts at once; while the file is broken, its last good version
/// is served.
final class DocumentFile: Sendable {
    /// The reasons why a file holds no document, one a line.
    struct Mistake: Error {
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
    private let logger: Logger
    private let state: Locked<State>

    /// Reads the file for the first time.
    init(path: String, logger: Logger) throws(Mistake) {
        self.path = path
        self.logger = logger
        let bytes = try Self.read(path)
        state = Locked(State(good: Version(bytes: bytes, document: try Self.document(bytes, path, logger))))
    }

    /// The document as it is in the file now.
    func document() async throws -> Document {
        let path = path
        let read = try await Blocking.run { Result { () throws(Mistake) in try Self.read(path) } }
        switch read {
        case .success(let bytes): return renewed(with: bytes)
        case .failure(let mistake): return kept(after: mistake, broken: [])
        }
    }

    private func renewed(with bytes: [UInt8]) -> Document {
        let (good, broken) = state.withLock { ($0.good, $0.broken) }
        if good.bytes == bytes {
            if broken != nil { state.withLock { $0.broken = nil } }
            return good.document
        }
        if broken == bytes { return good.document }
        do throws(Mistake) {
            let version = Version(bytes: bytes, document: try Self.document(bytes, path, logger))
            state.withLock { $0 = State(good: version) }
            return version.document
        } catch {
            return kept(after: error, broken: bytes)
        }
    }

    private func kept(after mistake: Mistake, broken bytes: [UInt8]) -> Document {
        let (document, isNew) = state.withLock { state in
            let isNew = state.broken != bytes
            state.broken = bytes
            return (state.good.document, isNew)
        }
        if isNew { logger.error("\(mistake.text)\nThe last good version of \(path) is served.") }
        return document
    }

    private static func read(_ path: String) throws(Mistake) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw Mistake(text: "\(path) can't be read")
        }
    }

    /// Reads a document, unless clients would refuse it, and logs the changes that reading took and the keys that clients ignore.
    private static func document(_ bytes: [UInt8], _ path: String, _ logger: Logger) throws(Mistake) -> Document {
        let imported: ImportedDocument
        do throws(JSONParseError) {
            imported = try ImportedDocument(parsing: bytes)
        } catch {
            throw Mistake(text: "\(path):\(error.line):\(error.column): \(error.kind)")
        }
        let findings = DynamicViewsRules.findings(in: imported.value, name: path)
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty else { throw Mistake(text: errors.map(\.details).joined(separator: "\n")) }
        do throws(WireError) {
            let document = try Document(imported.value)
            for change in imported.changes { logger.notice("\(path): \(change)") }
            // The file is for both dialects: each document leaves out the keys of the other.
            for finding in findings where finding.rule != "key-of-other-dialect" { logger.notice("\(finding)") }
            return document
        } catch {
            throw Mistake(text: "\(path): \(error)")
        }
    }
}
