import Dispatch
import Glibc

/// Cleans up when the run is interrupted from the keyboard or told to end.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    /// On SIGINT, SIGTERM and SIGHUP: stops what the run started, removes `workspace` and ends this process.
    init(removing workspace: Workspace) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                RunningChildren.shared.stopAll {
                    workspace.remove()
                    _exit(128 + number)
                }
            }
            source.resume()
            return source
        }
    }
}
