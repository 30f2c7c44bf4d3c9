import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state that an app keeps from build to build: the version of its data, a hash of that data, and the numbers of its texts.
public struct AppRecord: Sendable, Equatable {
    /// The highest version: clients store a whole number of 32 bits.
    static let maximumVersion = Int(Int32.max)

    /// The version in the indicator. The first one is 1.
    public let version: Int
    /// The SHA-256 of the app data and the sections of its feeds.
    public let content: String
    /// The numbers of the app's texts, by their names.
    public let texts: [String: Int]
    /// The app data, with marks that responses replace, for servers of an earlier build; empty unless servers share the record.
    public let document: [UInt8]
    /// The sections of each feed in each language, as JSON.
    public let sections: [String: [String: [UInt8]]]
    /// A hash of the app's declaration when it was mounted, before any change at run time; nil unless servers share the record.
    let mounted: String?

    /// The record of an app with the data `bytes`. The same data and sections keep the earlier version; others get the next one. nil
    /// after the highest version.
    ///
    /// - Parameters:
    ///   - sections: the sections of all feeds; a feed without sections has no languages.
    ///   - isShared: whether servers of other builds read the record, and therefore need the data.
    ///   - mounted: a hash of the declaration that the app was mounted with.
    package init?(
        _ bytes: [UInt8],
        texts: [String: Int],
        sections: [String: [String: [UInt8]]] = [:],
        isShared: Bool = false,
        mounted: String? = nil,
        after earlier: AppRecord?
    ) {
        let lists = sections.sorted { $0.key < $1.key }.flatMap { feed, languages in
            languages.sorted { $0.key < $1.key }.flatMap { Array("\n\(feed)/\($0.key):".utf8) + $0.value }
        }
        content = ContentHash.text(of: bytes + lists)
        self.texts = texts
        document = isShared ? bytes : []
        self.sections = isShared ? sections : [:]
        self.mounted = isShared ? mounted : nil
        let before = earlier?.version ?? 0
        version = before > 0 && earlier?.content == content ? before : before + 1
        guard version <= Self.maximumVersion else { return nil }
    }

    /// Reads a record as ``bytes`` writes it.
    ///
    /// - Throws: ``RecordError``.
    package init(parsing bytes: [UInt8]) throws(RecordError) {
        let document: JSONValue
        do throws(JSONParseError) {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw RecordError(description: "it is not JSON: \(error)")
        }
        guard let version = document["version"]?.number?.int64, (1...Int64(Self.maximumVersion)).contains(version)
        else {
            throw RecordError(description: "its \"version\" is not a whole number from 1 on")
        }
        guard let content = document["content"]?.string else {
            throw RecordError(description: "its \"content\" is not a text")
        }
        var texts: [String: Int] = [:]
        guard let members = document["texts"]?.object?.members else {
            throw RecordError(description: "its \"texts\" is not an object")
        }
        for member in members {
            guard let number = member.value.number?.int64, (1...Int64(TextNumbers.maximumCount)).contains(number) else {
                throw RecordError(description: "the number of its text \"\(member.key)\" is not from 1 to 9999")
            }
            texts[member.key] = Int(number)
        }
        self.version = Int(version)
        self.content = content
        self.texts = texts
        mounted = document["mounted"]?.string
        self.document = Array((document["document"]?.string ?? "").utf8)
        sections = (document["sections"]?.object?.members ?? []).reduce(into: [:]) { feeds, feed in
            feeds[feed.key] = (feed.value.object?.members ?? []).reduce(into: [:]) { languages, language in
                languages[language.key] = Array((language.value.string ?? "").utf8)
            }
        }
    }

    /// The record as JSON, with a line for each text, so that a version control system shows changes.
    package var bytes: [UInt8] {
        let lines = texts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            .map { "    \(JSONValue.string($0.key)): \($0.value)" }
        let list = lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n  }"
        var text = "{\n  \"version\": \(version),\n  \"content\": \"\(content)\",\n  \"texts\": \(list)"
        if !document.isEmpty {
            text += ",\n  \"document\": \(JSONValue.string(String(decoding: document, as: UTF8.self)))"
            text += ",\n  \"sections\": \(JSONValue.object(sectionTexts))"
            if let mounted { text += ",\n  \"mounted\": \(JSONValue.string(mounted))" }
        }
        return Array("\(text)\n}\n".utf8)
    }

    private var sectionTexts: JSONObject {
        var feeds = JSONObject()
        for (feed, languages) in sections.sorted(by: { $0.key < $1.key }) {
            var texts = JSONObject()
            for (language, text) in languages.sorted(by: { $0.key < $1.key }) {
                texts[language] = .string(String(decoding: text, as: UTF8.self))
            }
            feeds[feed] = .object(texts)
        }
        return feeds
    }
}

/// The error for an app's record that can't be used.
public struct RecordError: Error, Equatable, CustomStringConvertible {
    /// The message.
    public let description: String
}

/// The small JSON file that keeps an app's ``AppRecord``.
///
/// Commit the file beside the code, so that every build numbers texts alike and continues the versions, or keep it with the
/// app's other data on a disk that outlives the container. A missing file is created. Without a record, every start begins with
/// version 1 again, and clients that have seen a higher version never fetch the new data.
///
/// ```swift
/// var configuration = FlokiConfiguration()
/// configuration.record = RecordFile("floki.json")
/// ```
public struct RecordFile: AppRecordStore {
    /// The file's path.
    public let path: String

    /// Creates a record that is kept in a file.
    public init(_ path: String) { self.path = path }

    /// - Returns: nil for a file that doesn't exist yet.
    func read() throws(RecordError) -> AppRecord? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw RecordError(description: "the record '\(path)' can't be read")
        }
        do throws(RecordError) {
            return try AppRecord(parsing: Array(data))
        } catch {
            throw RecordError(
                description: "the record '\(path)' is damaged: \(error); repair it, or restore an earlier one"
            )
        }
    }

    /// The record; nil if the file doesn't exist yet.
    public func record(of app: String) throws -> AppRecord? { try read() }

    /// Replaces the record if it still has this version; 0 stands for no record.
    public func replaceRecord(of app: String, version: Int, with record: AppRecord) throws -> Bool {
        guard (try read()?.version ?? 0) == version else { return false }
        try write(record)
        return true
    }

    /// nil, because changes to the file aren't reported.
    public func recordVersion(of app: String) -> Int? { nil }

    /// Replaces the file in one step, so that it is never half written.
    func write(_ record: AppRecord) throws(RecordError) {
        do {
            try Data(record.bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw RecordError(
                description:
                    "the record '\(path)' can't be written: create its folder, and give this program write access"
            )
        }
    }
}
