import BacklotHTTP
import BacklotTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// People who use demo-server all the time, while somebody stops and starts the replicas behind its address.
///
///     replica-flow URL
///
/// It goes on until its standard input ends, and prints a line for each flow that is through. The first request that fails,
/// and the first person who is logged out, ends it with status 1 and says what happened.
@main
struct ReplicaFlow {
    /// How many people there are at a time.
    private static let people = 4

    static func main() async {
        guard CommandLine.arguments.count == 2 else { end("usage: replica-flow URL") }
        let url = CommandLine.arguments[1]
        let ending = Ending()
        await withTaskGroup(of: Void.self) { group in
            for number in 1...people {
                group.addTask {
                    var flows = 0
                    while !ending.isDue {
                        flows += 1
                        await endIfItFails { try await Visitor(name: "visitor \(number).\(flows)", url: url).visit() }
                        say("through: \(number).\(flows)")
                    }
                }
            }
            group.addTask {
                await endIfItFails { try await Resident(url: url).stay(until: ending) }
            }
            group.addTask {
                await endIfItFails { try await Blocking.run { awaitEndOfInput() } }
                ending.comes()
            }
        }
        say("nobody was logged out, and no request failed")
    }

    /// Not by `readLine`, which would hold a lock that flushing needs.
    private static func awaitEndOfInput() {
        var byte: UInt8 = 0
        while unsafe read(STDIN_FILENO, &byte, 1) > 0 {}
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    /// At once: the end of the input may never come.
    private static func endIfItFails(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            end("FAILED: \(error)")
        }
    }

    private static func end(_ text: String) -> Never {
        say(text)
        exit(1)
    }
}
