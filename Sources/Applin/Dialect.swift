internal import BacklotJSON

/// How actions stand on the wire. All else is the same in both dialects, but for widgets that the older clients don't know.
///
/// A dialect is a property of the mounted app: ``Backlot/Routes/applin(_:dialect:_:)``.
public enum Dialect: Int, Sendable, CaseIterable {
    /// Actions are strings, such as `"push:/terms"`: as the documentation has it, for clients up to 0.30.
    case documented
    /// Actions are objects, such as `{"typ":"push","page":"/terms"}`: for clients since 0.31, which reject a page with any
    /// string among its actions.
    case objects
}

extension Dialect: CustomStringConvertible {
    /// `documented` or `objects`.
    public var description: String {
        switch self {
        case .documented: "documented"
        case .objects: "objects"
        }
    }
}

extension JSONWriter {
    /// A writer for pages of a dialect.
    init(capacity: Int = 0, dialect: Dialect) {
        self.init(capacity: capacity, variant: dialect.rawValue)
    }

    /// The dialect that is written.
    var dialect: Dialect { Dialect(rawValue: variant) ?? .documented }
}
