import ArgumentParser
import BacklotChecks
import BacklotClients
import BacklotJSON
import BacklotService

/// What a command has found out about a running server.
protocol ServerReport: CustomStringConvertible {
    /// Why the server can't be judged; nil where it can.
    var unreachable: ClientFailure? { get }
    /// Whether nothing is wrong.
    var isClean: Bool { get }
    /// The report for programs.
    var json: JSONValue { get }
}

extension CrawlReport: ServerReport {}
extension DriftReport: ServerReport {}

extension ServerReport {
    /// Prints the report.
    ///
    /// - Throws: `ExitCode`: 1 for findings, 2 for a server that can't be reached.
    func finish(as format: Check.Format) throws {
        switch format {
        case .json: print(json)
        case .text where unreachable == nil: print(self)
        case .text: StandardError.print("Error: \(self)")
        }
        if case .notSecured(let reason)? = unreachable, reason.contains("certificate") {
            StandardError.print(
                "--certificates FILE trusts the certificates in a file, and --trust-anyone trusts all."
            )
        }
        if unreachable != nil { throw ExitCode(2) }
        if !isClean { throw ExitCode(1) }
    }
}
