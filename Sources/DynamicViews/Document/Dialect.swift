internal import BacklotJSON

/// The clients that a document is for. The same document is written differently for each.
///
/// For Android, each widget has a padding, as an array of integers. The configuration has an image and a style, a customer card has
/// its text and image, and `hideable` is left out.
public struct Dialect: Sendable, Hashable {
    /// The system of the clients.
    public enum Platform: String, Sendable, CaseIterable {
        /// The form in the documentation.
        case ios
        /// The form that the Android client reads.
        case android
    }

    /// For iOS clients.
    public static let ios = Dialect(.ios)
    /// For Android clients.
    public static let android = Dialect(.android)

    /// The system of the clients. Requests name it to choose the dialect.
    public let platform: Platform

    /// The dialect of a system's clients.
    public init(_ platform: Platform) { self.platform = platform }
}

extension Dialect {
    /// The dialect as a writer's variant.
    fileprivate var variant: Int { platform == .android ? 1 : 0 }

    init(variant: Int) { self.init(variant == 0 ? .ios : .android) }
}

extension JSONWriter {
    /// One document in a dialect.
    static func document(capacity: Int, dialect: Dialect, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        document(capacity: capacity, variant: dialect.variant, write)
    }

    /// The dialect that is written.
    var dialect: Dialect { Dialect(variant: variant) }
}
