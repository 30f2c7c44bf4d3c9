import TestSupport
import Testing

/// A result with a status: the outcome of a process, or a response.
protocol Ended {
    associatedtype Status: Equatable & Sendable
    var status: Status { get }
}

extension Ended {
    /// The same, after its status was compared.
    @discardableResult
    func withStatus(_ expected: Status, _ location: SourceLocation = #_sourceLocation) -> Self {
        #expect(status == expected, "\(self)", sourceLocation: location)
        return self
    }
}

extension ServerProcess.Outcome: Ended {}
extension ReceivedResponse: Ended {}
extension DemoClient.Response: Ended {}
