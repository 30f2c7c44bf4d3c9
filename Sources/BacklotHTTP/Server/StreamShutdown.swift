// The package has no other way to let tasks that its groups didn't start know of a shutdown; its own test kit uses this
// one.
@_spi(TestKit) internal import ServiceLifecycle

/// Lets the functions that write streamed bodies know that their server stops, through swift-service-lifecycle's own
/// calls: `cancelWhenGracefulShutdown`, `withGracefulShutdownHandler`, `Task.isShuttingDownGracefully`.
final class StreamShutdown: Sendable {
    private let manager = GracefulShutdownManager()

    /// Tells all functions that run, and those that begin later.
    func begin() { manager.shutdownGracefully() }

    /// Runs a function that is told.
    func watched(_ function: () async throws -> Void) async rethrows {
        try await TaskLocals.$gracefulShutdownManager.withValue(manager) { try await function() }
    }
}

/// What runs until the server stops.
package enum UntilShutdown {
    /// Runs a function, and cancels it when the server stops.
    ///
    /// - Throws: what the function throws, unless the server stops.
    package static func run(_ function: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await cancelWhenGracefulShutdown(function)
        } catch {
            guard Task.isShuttingDownGracefully else { throw error }
        }
    }
}
