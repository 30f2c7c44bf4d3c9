#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The values of a session by name, each as JSON, and their encoding as one sequence of bytes.
///
/// The encoding is a netstring (`5:hello,`) for each name and each value in turn, sorted by name. It is exact for any bytes, fast
/// to read and write, and legible in a store's tools.
struct SessionValues: Equatable, Sendable {
    /// The values; names without a value are absent.
    var entries: [String: [UInt8]] = [:]

    /// Creates a set without values.
    init() {}

    /// Decodes the result of `encoded`; nil for any other bytes.
    init?(decoding bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let name = Self.take(&rest), let value = Self.take(&rest),
                let text = String(validating: name, as: UTF8.self), entries[text] == nil
            else { return nil }
            entries[text] = Array(value)
        }
    }

    /// The values as one sequence of bytes; empty without values.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
            Self.append(Array(name.utf8), to: &bytes)
            Self.append(value, to: &bytes)
        }
        return bytes
    }

    private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
        bytes += Array("\(text.count):".utf8) + text
        bytes.append(UInt8(ascii: ","))
    }

    /// Removes a netstring from the beginning.
    private static func take(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // No session is so large that a length has more than nine digits.
        guard let colon = bytes.prefix(10).firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let digits = bytes[bytes.startIndex..<colon]
        guard digits.allSatisfy(\.isDigit),
            let length = Int(String(decoding: digits, as: UTF8.self))
        else { return nil }
        let text = bytes[(colon + 1)...].prefix(length)
        guard text.count == length, text.endIndex < bytes.endIndex, bytes[text.endIndex] == UInt8(ascii: ",") else {
            return nil
        }
        bytes = bytes[(text.endIndex + 1)...]
        return text
    }
}

/// The changes of a request to the values of a session. They can be applied again if another request has saved the same session in
/// the meantime.
struct ValueChanges: Sendable {
    /// Converts the bytes of a value to others; nil for no value.
    typealias Update = @Sendable ([UInt8]?) throws(SessionError) -> [UInt8]?

    private enum Change: Sendable {
        case set([UInt8]?)
        case update(Update)
    }

    private var changes: [(name: String, change: Change)] = []

    /// Sets a value; nil removes it.
    mutating func set(_ name: String, to bytes: [UInt8]?) {
        changes.removeAll { $0.name == name }
        changes.append((name, .set(bytes)))
    }

    /// Changes a value based on its current state.
    mutating func update(_ name: String, _ update: @escaping Update) {
        changes.append((name, .update(update)))
    }

    /// The values with the changes applied.
    func applied(to values: SessionValues) throws(SessionError) -> SessionValues {
        var values = values
        for (name, change) in changes {
            switch change {
            case .set(let bytes): values.entries[name] = bytes
            case .update(let update): values.entries[name] = try update(values.entries[name])
            }
        }
        return values
    }
}

/// The encoding of a session's value: JSON (RFC 8259).
enum SessionCoding {
    static func encode<Key: SessionKey>(_ value: Key.Value, for key: Key.Type) throws(SessionError) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(value))
        } catch {
            throw .notEncodable(name: Key.name, reason: "\(error)")
        }
    }

    /// The value; nil if the bytes can't be decoded as the current type.
    static func decode<Key: SessionKey>(_ bytes: [UInt8], for key: Key.Type) -> Key.Value? {
        try? JSONDecoder().decode(Key.Value.self, from: Data(bytes))
    }
}
