extension Server {
    /// Serves while `body` runs, and shuts down after it, also when it throws. For tests, of which only so many have a server
    /// at a time.
    ///
    /// - Throws: what `body` throws; why the server can't start.
    package func serve<Result>(_ body: (SocketAddress) async throws -> Result) async throws -> Result {
        try await ServerSlots.shared.run {
            let running = try start()
            do {
                let result = try await body(running.address)
                await running.shutdown()
                return result
            } catch {
                await running.shutdown()
                throw error
            }
        }
    }
}
