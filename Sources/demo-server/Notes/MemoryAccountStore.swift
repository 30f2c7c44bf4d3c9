/// The users of the notes app in the memory of the process. Passwords are not kept, since the demo checks none.
actor MemoryAccountStore: AccountStore {
    /// The most users.
    static let maximumCount = 1000

    private var names: Set<String> = []

    func contains(_ name: String) -> Bool { names.contains(name) }

    func create(_ name: String) throws(AccountError) {
        guard !names.contains(name) else { throw .nameTaken }
        guard names.count < Self.maximumCount else { throw .tooMany }
        names.insert(name)
    }
}
