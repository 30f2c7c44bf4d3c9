import Backlot
import BacklotPostgreSQL
import Dispatch
import Logging
import TestSupport

/// Waits on a thread that may block: that of a transaction.
enum Blocking {
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Result<Value, any Error>
    {
        let ready = DispatchSemaphore(value: 0)
        let outcome = Locked<Result<Value, any Error>?>(nil)
        Task {
            do {
                let value = try await body()
                outcome.withLock { $0 = .success(value) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            ready.signal()
        }
        ready.wait()
        return outcome.withLock { $0 ?? .failure(CancellationError()) }
    }
}

extension PostgreSQLServer {
    /// Connections beside those of a store. Their transactions may be idle for minutes while the test does something else.
    func connections(to database: String) throws -> PostgreSQLDatabase {
        let address = try PostgreSQLAddress(address(user: "postgres", database: database))
        return PostgreSQLDatabase(address, timeout: .seconds(120), logger: .silent)
    }
}
