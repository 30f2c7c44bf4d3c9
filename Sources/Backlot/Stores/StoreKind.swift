public import Logging

/// A kind of store that a setting may name, such as `memory` or `sqlite:PATH`: for sessions or other data of a server. The modules
/// of the stores add their kinds, so that a server contains only those that it lists: `[.memory, .sqlite]`.
public struct StoreKind<Store: Sendable>: Sendable {
    /// The syntax of a choice, such as `sqlite:PATH`, for error texts.
    public let form: String
    /// The possible beginnings of a choice, up to its colon.
    public let schemes: [String]
    /// The default choice for a program, based on environment variables; nil without a default.
    public let usual: @Sendable (_ program: String, _ environment: [String: String]) -> String?
    /// Reads a choice from its whole text. Errors never repeat a password.
    public let read: @Sendable (_ text: String) throws(StoreKindError) -> StoreChoice<Store>

    /// Creates a kind of store.
    public init(
        form: String,
        schemes: [String],
        usual: @escaping @Sendable (_ program: String, _ environment: [String: String]) -> String? = { _, _ in nil },
        read: @escaping @Sendable (_ text: String) throws(StoreKindError) -> StoreChoice<Store>
    ) {
        self.form = form
        self.schemes = schemes
        self.usual = usual
        self.read = read
    }

    /// In the memory of the process.
    package static func inMemory(_ description: String, open: @escaping @Sendable () -> Store) -> StoreKind {
        StoreKind(form: "memory", schemes: ["memory"]) { text throws(StoreKindError) in
            guard text == "memory" else { throw StoreKindError("memory takes nothing behind it: write memory") }
            return StoreChoice(description) { _ in open() }
        }
    }

    /// A store in an SQLite file. The default file is in `backlot` in the state folder: `XDG_STATE_HOME` if it is set, otherwise
    /// `.local/state` below `HOME`.
    ///
    /// - Parameters:
    ///   - content: the part of the default file's name after the program's name: `-feeds` for `PROGRAM-feeds.sqlite`.
    ///   - example: the name of a file, for error texts.
    ///   - open: opens a file.
    package static func inSQLiteFile(
        content: String,
        example: String,
        open: @escaping @Sendable (_ path: String, _ logger: Logger) throws -> Store
    ) -> StoreKind {
        StoreKind(
            form: "sqlite:PATH",
            schemes: ["sqlite"],
            usual: { program, environment in
                StateFolder.path(environment).map { "sqlite:\($0)/backlot/\(program)\(content).sqlite" }
            },
            read: { text throws(StoreKindError) in
                let path = String(text.drop { $0 != ":" }.dropFirst())
                guard !path.isEmpty else {
                    throw StoreKindError(
                        "the path is missing: write sqlite:PATH, such as sqlite:/var/lib/backlot/\(example).sqlite"
                    )
                }
                return StoreChoice("in a file of SQLite, \(path)", file: path) { try open(path, $0) }
            }
        )
    }

    /// A choice, valid or not, without its password.
    @Sendable public static func hidingPassword(_ text: String) -> String {
        guard let query = text.firstIndex(of: "?") else { return hidingUser(text[...]) }
        let parameters = text[query...].split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            parameter.firstRange(of: "password=").map { parameter[..<$0.upperBound] + "***" } ?? parameter
        }
        return hidingUser(text[..<query] + parameters.joined(separator: "&"))
    }

    /// A choice without its user and password before the host.
    private static func hidingUser(_ text: Substring) -> String {
        guard let (scheme, rest) = text.atScheme, let at = rest.dropFirst().lastIndex(of: "@") else {
            return String(text)
        }
        return "\(scheme)://***\(text[at...])"
    }
}

/// A store that was chosen, but isn't open yet.
public struct StoreChoice<Store: Sendable>: Sendable, CustomStringConvertible {
    /// The location of the store, for people, without a password.
    public let description: String
    /// The path of the file that opening the store creates; nil for a store without a file.
    package let file: String?
    /// Opens the store. It throws the problem with a file; a server may still be unreachable.
    public let open: @Sendable (_ logger: Logger) throws -> Store

    /// Creates a choice.
    public init(_ description: String, open: @escaping @Sendable (_ logger: Logger) throws -> Store) {
        self.init(description, file: nil, open: open)
    }

    /// Creates a choice of a store that may be a file.
    package init(_ description: String, file: String?, open: @escaping @Sendable (_ logger: Logger) throws -> Store) {
        self.description = description
        self.file = file
        self.open = open
    }
}

/// A mistake in the choice of a store, with advice.
public struct StoreKindError: Error, Equatable, CustomStringConvertible {
    /// The mistake and the advice, without passwords.
    public let description: String

    /// Creates a mistake.
    public init(_ description: String) { self.description = description }
}

extension Array {
    /// The syntax of all choices: `memory or sqlite:PATH`.
    package func forms<Store>() -> String where Element == StoreKind<Store> { map(\.form).alternatives }

    /// Reads a choice.
    ///
    /// - Throws: `StoreKindError`, also for an unknown kind.
    package func choice<Store>(_ text: String) throws(StoreKindError) -> StoreChoice<Store>
    where Element == StoreKind<Store> {
        let scheme = text.prefix { $0 != ":" }
        guard let kind = first(where: { $0.schemes.contains(String(scheme)) }) else {
            throw StoreKindError("unknown store '\(scheme)': write \(forms())")
        }
        return try kind.read(text)
    }

    /// The default choice of the first kind that has one; otherwise memory.
    package func usual<Store>(program: String, environment: [String: String]) -> String
    where Element == StoreKind<Store> {
        let environment = environment.filter { !$0.value.isEmpty }
        return lazy.compactMap { $0.usual(program, environment) }.first ?? "memory"
    }
}

/// A kind of session store that a setting may name, such as `memory` or `sqlite:PATH`.
///
/// ```swift
/// let kinds: [SessionStoreKind] = [.memory]  // BacklotSQLite, BacklotPostgreSQL and BacklotRedis have others
/// ```
public typealias SessionStoreKind = StoreKind<any SessionStore>

/// A session store that was chosen, but isn't open yet.
public typealias SessionStoreChoice = StoreChoice<any SessionStore>

/// A mistake in the choice of a session store, with advice.
public typealias SessionStoreKindError = StoreKindError

extension SessionStoreKind {
    /// In the memory of the process.
    public static var memory: SessionStoreKind {
        inMemory("in memory; they end with the server") { MemorySessionStore() }
    }
}

/// The folder for programs' data that should survive them but isn't a document (XDG Base Directory Specification).
package enum StateFolder {
    /// The state folder of a user: `XDG_STATE_HOME` if it is set, otherwise `.local/state` below `HOME`; nil if neither is set. It
    /// has no slash at its end, so that `"\(path)/name"` is the path of a file.
    package static func path(_ environment: [String: String]) -> String? {
        // An empty variable counts as unset, and a relative path doesn't count.
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return withoutSlashes(folder) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(withoutSlashes(home))/.local/state"
    }

    private static func withoutSlashes(_ path: String) -> String {
        var rest = path[...]
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        return String(rest)
    }
}
