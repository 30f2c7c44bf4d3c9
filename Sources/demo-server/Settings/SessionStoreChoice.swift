import Backlot
import BacklotRedis
import BacklotSQLite
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where sessions are kept, as people write it: `memory`, `sqlite:PATH` or `redis://[:PASSWORD@]HOST:PORT/DB`.
enum SessionStoreChoice: Equatable {
    /// In the memory of the process.
    case memory
    /// In a file of SQLite.
    case sqlite(path: String)
    /// On a server of Redis or Valkey.
    case redis(RedisAddress)

    /// Reads a choice.
    ///
    /// - Throws: `SessionStoreChoiceError`, which repeats no password.
    init(_ text: String) throws(SessionStoreChoiceError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        switch (parts[0], parts.dropFirst().first) {
        case ("memory", nil): self = .memory
        case ("sqlite", nil), ("sqlite", ""): throw .noPath
        case ("sqlite", let path?): self = .sqlite(path: String(path))
        case ("redis", .some), ("rediss", .some):
            do throws(RedisAddressError) {
                self = .redis(try RedisAddress(text))
            } catch {
                throw .redis(error)
            }
        default: throw .unknown(String(parts[0]))
        }
    }

    /// The choice by default: a file where programs keep their state (`XDG_STATE_HOME`, or else below the home
    /// folder), or memory where there is no home.
    static func usual(environment: [String: String] = ProcessInfo.processInfo.environment) -> SessionStoreChoice {
        let environment = environment.filter { !$0.value.isEmpty }
        let folder = environment["XDG_STATE_HOME"] ?? environment["HOME"].map { "\($0)/.local/state" }
        return folder.map { .sqlite(path: "\($0)/backlot/sessions.sqlite") } ?? .memory
    }

    /// A choice as it was written, right or wrong, without its password.
    @Sendable static func hidingPassword(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://"), let at = text.lastIndex(of: "@"), scheme.upperBound < at else {
            return text
        }
        return text[..<scheme.upperBound] + "***" + text[at...]
    }

    /// Makes the store.
    ///
    /// - Throws: what is wrong with a file. A server need not be there yet.
    func makeStore(logger: Logger) throws -> any SessionStore {
        switch self {
        case .memory: MemorySessionStore()
        case .sqlite(let path): try SQLiteSessionStore(path: path, logger: logger)
        case .redis(let address): RedisSessionStore(address, logger: logger)
        }
    }
}

extension SessionStoreChoice: CustomStringConvertible {
    /// For people, without a password.
    var description: String {
        switch self {
        case .memory: "in memory; they end with the server"
        case .sqlite(let path): "in a file of SQLite, \(path)"
        case .redis(let address): "on \(address)"
        }
    }
}

/// A mistake in a choice.
enum SessionStoreChoiceError: Error, Equatable, CustomStringConvertible {
    /// There is no such store.
    case unknown(String)
    /// The file isn't named.
    case noPath
    /// The server's address can't be read.
    case redis(RedisAddressError)

    /// The mistake, and what to write instead.
    var description: String {
        switch self {
        case .unknown(let kind):
            "there is no store '\(kind)': write memory, sqlite:PATH or redis://[:PASSWORD@]HOST:PORT/DB"
        case .noPath: "there is no path: write sqlite:PATH, such as sqlite:/var/lib/backlot/sessions.sqlite"
        case .redis(let error): "\(error)"
        }
    }
}
