internal import BacklotJSON

/// The clients that a document is for. The same document is written differently for each.
///
/// For Android, every padding is written, as an array of whole numbers; the configuration has an image and a style; a customer card
/// has its text and image; `hideable` is left out; and the version's type is `snabble.version`.
public struct Dialect: Sendable, Hashable {
    /// The system of the clients.
    public enum Platform: String, Sendable, CaseIterable {
        /// As the documentation has it.
        case ios
        /// As the Android client reads it.
        case android
    }

    /// The spelling of the version widget's type. iOS clients read both.
    public enum VersionType: String, Sendable, CaseIterable {
        /// As the documentation has it.
        case plain = "version"
        /// As Android clients and some iOS clients have it.
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
    ///
    /// - Parameter versionType: the spelling for iOS clients; Android clients know `snabble.version` only.
    public init(_ platform: Platform, versionType: VersionType = .plain) {
        self.platform = platform
        self.versionType = platform == .android ? .prefixed : versionType
    }
}

extension Dialect {
    private static let androidBit = 1
    private static let prefixedBit = 2

    /// The dialect as a writer's variant.
    fileprivate var variant: Int {
        (platform == .android ? Self.androidBit : 0) | (versionType == .prefixed ? Self.prefixedBit : 0)
    }

    init(variant: Int) {
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
