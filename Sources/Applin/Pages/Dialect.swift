internal import Backlot

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
    /// Creates a writer for pages of a dialect.
    init(capacity: Int = 0, dialect: Dialect) {
        self.init(capacity: capacity, variant: dialect.variant())
    }

    /// The dialect that is written.
    var dialect: Dialect { variant & Dialect.objectsBit != 0 ? .objects : .documented }

    /// The client that is written for.
    var client: ClientVersion {
        let packed = variant >> 1
        return packed == 0 ? dialect.versions.upperBound : ClientVersion(packed: packed)
    }
}

extension Dialect {
    fileprivate static let objectsBit = 1

    /// The dialect as a writer's variant, and a client that speaks it; nil for the newest.
    func variant(for client: ClientVersion? = nil) -> Int {
        (client.map(\.packed) ?? 0) << 1 | (self == .objects ? Self.objectsBit : 0)
    }
}
