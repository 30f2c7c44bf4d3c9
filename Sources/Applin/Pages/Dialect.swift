internal import BacklotJSON

/// The form of actions on the wire. Clients speak one of the two dialects, and reject a whole page for one action of the
/// other. Everything else is equal in both, except that older clients know fewer widgets.
///
/// A dialect is a property of the mounted app, not of a page or a widget: `router.applin("/", dialect: .objects)`.
public enum Dialect: String, Sendable, CaseIterable {
    /// Actions are strings, such as `"push:/terms"`: as the documentation has it, for clients up to 0.30.
    case documented
    /// Actions are objects, such as `{"typ":"push","page":"/terms"}`: for clients since 0.31.
    case objects
}

extension JSONWriter {
    private static let objects = 1

    /// A writer for pages of a dialect.
    init(capacity: Int = 0, dialect: Dialect) {
        self.init(capacity: capacity, variant: dialect == .objects ? Self.objects : 0)
    }

    /// One document in a dialect.
    static func document(capacity: Int, dialect: Dialect, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        document(capacity: capacity, variant: dialect == .objects ? Self.objects : 0, write)
    }

    /// The dialect that is written.
    var dialect: Dialect { variant == Self.objects ? .objects : .documented }
}
