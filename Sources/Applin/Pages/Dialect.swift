internal import BacklotJSON

/// How actions stand on the wire. Clients speak one of the two, and reject a whole page for one action of the other. All
/// else is the same in both, but for widgets that the older clients don't know.
///
/// A dialect is a property of the mounted app, not of a page or a widget: ``Backlot/Routes/applin(_:dialect:_:)``.
public enum Dialect: String, Sendable, CaseIterable {
    /// Actions are strings, such as `"push:/terms"`: as the documentation has it, for clients up to 0.30.
    case documented
    /// Actions are objects, such as `{"typ":"push","page":"/terms"}`: for clients since 0.31.
    case objects

    /// Who speaks it, for the texts of findings.
    var clients: String {
        switch self {
        case .documented: "clients up to 0.30 (the documented dialect)"
        case .objects: "clients since 0.31 (the objects dialect)"
        }
    }

    /// The one that this isn't.
    var other: Dialect {
        self == .documented ? .objects : .documented
    }
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
