#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How one value of a session becomes bytes, and bytes a value: as JSON (RFC 8259).
enum SessionCoding {
    static func encode<Key: SessionKey>(_ value: Key.Value, for key: Key.Type) throws(SessionError) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(value))
        } catch {
            throw .notEncodable(name: Key.name, why: "\(error)")
        }
    }

    /// The value; nil when the bytes are not one of that type, or of that type any more.
    static func decode<Key: SessionKey>(_ bytes: [UInt8], for key: Key.Type) -> Key.Value? {
        try? JSONDecoder().decode(Key.Value.self, from: Data(bytes))
    }
}
