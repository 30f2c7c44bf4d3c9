/// How actions look on the wire. Clients speak one of the two, and reject a whole page for one action of the other.
///
/// It is a property of the mounted app, not of a page or a widget: everything but the actions is the same in both.
public enum Dialect: String, Sendable, CaseIterable {
    /// Actions are strings, as the Applin documentation shows them: `"push:/terms"`, `"pop"`. iOS clients up to 0.30.
    case documented
    /// Actions are objects: `{"typ":"push","page":"/terms"}`. iOS clients since 0.31.
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
