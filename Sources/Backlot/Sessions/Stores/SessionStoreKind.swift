public import Logging

/// A kind of session store that a setting may name, such as `memory` or `sqlite:PATH`. The modules of the stores add theirs,
/// so that a server contains only those that it lists: `[.memory, .sqlite]`.
public struct SessionStoreKind: Sendable {
    /// How a choice is written, such as `sqlite:PATH`, for messages.
    public let form: String
    /// The words with which a choice begins, up to its colon.
    public let schemes: [String]
    /// The choice of a program where none is written, by the variables of the environment; nil for none.
    public let usual: @Sendable (_ program: String, _ environment: [String: String]) -> String?
    /// Reads a choice. The text is the whole of it; a mistake repeats no password.
    public let read: @Sendable (_ text: String) throws(SessionStoreMistake) -> SessionStoreChoice

    /// A kind of store.
    public init(
        form: String,
        schemes: [String],
        usual: @escaping @Sendable (_ program: String, _ environment: [String: String]) -> String? = { _, _ in nil },
        read: @escaping @Sendable (_ text: String) throws(SessionStoreMistake) -> SessionStoreChoice
    ) {
        self.form = form
        self.schemes = schemes
        self.usual = usual
        self.read = read
    }

    /// In the memory of the process.
    public static let memory = SessionStoreKind(form: "memory", schemes: ["memory"]) {
        text throws(SessionStoreMistake) in
        guard text == "memory" else { throw SessionStoreMistake("memory takes nothing behind it: write memory") }
        return SessionStoreChoice("in memory; they end with the server") { _ in MemorySessionStore() }
    }

    /// A choice as it was written, right or wrong, without its password.
    @Sendable public static func hidingPassword(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://"), let at = text.lastIndex(of: "@"), scheme.upperBound < at else {
            return text
        }
        return text[..<scheme.upperBound] + "***" + text[at...]
    }
}

/// A store of sessions that was chosen, and is not open yet.
public struct SessionStoreChoice: Sendable, CustomStringConvertible {
    /// Where the sessions are, for people, without a password.
    public let description: String
    /// Opens the store. It throws what is wrong with a file; a server need not be there yet.
    public let open: @Sendable (_ logger: Logger) throws -> any SessionStore

    /// A choice.
    public init(_ description: String, open: @escaping @Sendable (_ logger: Logger) throws -> any SessionStore) {
        self.description = description
        self.open = open
    }
}

/// A mistake in a choice of a store, and what to write instead.
public struct SessionStoreMistake: Error, Equatable, CustomStringConvertible {
    /// The mistake, and what to write instead. It repeats no password.
    public let description: String

    /// A mistake.
    public init(_ description: String) {
        self.description = description
    }
}

extension [SessionStoreKind] {
    /// How choices are written: `memory or sqlite:PATH`.
    package var forms: String { map(\.form).alternatives }

    /// Reads a choice.
    ///
    /// - Throws: `SessionStoreMistake`, also for a store that is none of these.
    package func choice(_ text: String) throws(SessionStoreMistake) -> SessionStoreChoice {
        let scheme = text.prefix { $0 != ":" }
        guard let kind = first(where: { $0.schemes.contains(String(scheme)) }) else {
            throw SessionStoreMistake("there is no store '\(scheme)': write \(forms)")
        }
        return try kind.read(text)
    }

    /// The choice where none is written: that of the first kind that has one, or else memory.
    package func usual(program: String, environment: [String: String]) -> String {
        let environment = environment.filter { !$0.value.isEmpty }
        return lazy.compactMap { $0.usual(program, environment) }.first ?? "memory"
    }
}
