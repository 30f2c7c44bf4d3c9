public import ArgumentParser
public import BacklotChecks
import BacklotClients
import BacklotService

extension ReportFormat: ExpressibleByArgument {}

extension ServerReport {
    /// Prints the report.
    ///
    /// - Throws: `ExitCode`: 1 for findings, 2 for a server that can't be reached, and where nothing was found by a tool that couldn't finish,
    ///   and 130 where nothing was found before the tool was interrupted.
    func finish(as format: ReportFormat) throws {
        if format == .text, unreachable != nil {
            StandardError.print("Error: \(self)")
        } else {
            print(text(as: format))
        }
        if case .notSecured(let reason)? = unreachable, reason.contains("certificate") {
            StandardError.print(
                "--certificates FILE trusts the certificates in a file, and --trust-anyone trusts all."
            )
        }
        if unreachable != nil { throw ExitCode(2) }
        if !isClean { throw ExitCode(1) }
        if Interruption.hasCome { throw ExitCode(130) }
        if isCutShort { throw ExitCode(2) }
    }
}
