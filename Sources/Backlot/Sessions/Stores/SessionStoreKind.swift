/// A kind of session store that a setting may name, such as `memory` or `sqlite:PATH`.
public typealias SessionStoreKind = StoreKind<any SessionStore>

/// A store of sessions that was chosen, and is not open yet.
public typealias SessionStoreChoice = StoreChoice<any SessionStore>

/// A mistake in a choice of a store of sessions, and what to write instead.
public typealias SessionStoreMistake = StoreMistake

extension SessionStoreKind {
    /// In the memory of the process.
    public static var memory: SessionStoreKind {
        inMemory("in memory; they end with the server") { MemorySessionStore() }
    }
}
