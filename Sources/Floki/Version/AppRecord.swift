import Backlot
import BacklotJSON

/// What an app remembers from build to build: the version of its data, what that data was, and the numbers of its texts.
public struct AppRecord: Sendable, Equatable {
    /// The highest version: clients keep a whole number of 32 bits.
    static let maximumVersion = Int(Int32.max)

    /// The version that clients are told; it begins with 1.
    public let version: Int
    /// The SHA-256 of the app data.
    public let content: String
    /// The numbers of the app's texts, by their names.
    public let texts: [String: Int]

    /// The record of an app whose data is `bytes`: the version is the earlier one where that data is the same, and one more
    /// where it isn't; nil when there is no higher version.
    init?(_ bytes: [UInt8], texts: [String: Int], after earlier: AppRecord?) {
        content = ContentHash.text(of: bytes)
        self.texts = texts
        let before = earlier?.version ?? 0
        version = before > 0 && earlier?.content == content ? before : before + 1
        guard version <= Self.maximumVersion else { return nil }
    }

    /// Reads a record as ``bytes`` writes it.
    ///
    /// - Throws: ``RecordError``.
    init(parsing bytes: [UInt8]) throws(RecordError) {
        let document: JSONValue
        do throws(JSONParseError) {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw RecordError(description: "it is no JSON: \(error)")
        }
        guard let version = document["version"]?.number?.int64, (1...Int64(Self.maximumVersion)).contains(version)
        else {
            throw RecordError(description: "its \"version\" is no whole number from 1 on")
        }
        guard let content = document["content"]?.string else {
            throw RecordError(description: "its \"content\" is no text")
        }
        var texts: [String: Int] = [:]
        guard let members = document["texts"]?.object?.members else {
            throw RecordError(description: "its \"texts\" is no object")
        }
        for member in members {
            guard let number = member.value.number?.int64, (1...Int64(TextNumbers.maximumCount)).contains(number) else {
                throw RecordError(description: "the number of its text \"\(member.key)\" is not one of 1 to 9999")
            }
            texts[member.key] = Int(number)
        }
        self.version = Int(version)
        self.content = content
        self.texts = texts
    }

    /// The record as JSON, a line for each text, so that changes can be seen in a version control system.
    var bytes: [UInt8] {
        let lines = texts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            .map { "    \(JSONValue.string($0.key)): \($0.value)" }
        let list = lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n  }"
        return Array("{\n  \"version\": \(version),\n  \"content\": \"\(content)\",\n  \"texts\": \(list)\n}\n".utf8)
    }
}

/// Why an app's record can't be used.
public struct RecordError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    public let description: String
}
