internal import BacklotJSON

/// The clients that a document is for. The same document is written differently for each.
///
/// For Android, every padding is there and an array of whole numbers, a customer card has a text, and `hideable` is left out.
public struct Dialect: Sendable, Hashable {
    /// The system of the clients.
    public enum Platform: String, Sendable, CaseIterable {
        /// As the documentation has it.
        case ios
        /// As the Android client reads it.
        case android
    }

    /// The spelling of the version widget's type. Both are read, whichever is written.
    public enum VersionType: String, Sendable, CaseIterable {
        /// As the documentation has it.
        case plain = "version"
        /// As some clients have it.
        case prefixed = "snabble.version"
    }

    /// For iOS clients.
    public static let ios = Dialect(.ios)
    /// For Android clients.
    public static let android = Dialect(.android)

    /// The system of the clients, by whose name requests ask for the dialect.
    public let platform: Platform
    /// The spelling of the version widget's type.
    public let versionType: VersionType

    /// A dialect.
    public init(_ platform: Platform, versionType: VersionType = .plain) {
        self.platform = platform
        self.versionType = versionType
    }
}

extension Dialect {
    private static let androidBit = 1
    private static let prefixedBit = 2

    /// The dialect as a writer's variant.
    fileprivate var variant: Int {
        (platform == .android ? Self.androidBit : 0) | (versionType == .prefixed ? Self.prefixedBit : 0)
    }

    fileprivate init(variant: Int) {
        self.init(
            variant & Self.androidBit == 0 ? .ios : .android,
            versionType: variant & Self.prefixedBit == 0 ? .plain : .prefixed
        )
    }
}

extension JSONWriter {
    /// One document in a dialect.
    static func document(capacity: Int, dialect: Dialect, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        document(capacity: capacity, variant: dialect.variant, write)
    }

    /// The dialect that is written.
    var dialect: Dialect { Dialect(variant: variant) }
}
