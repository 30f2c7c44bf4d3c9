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
///     replica-flow URL feeds TOKEN
///
/// With `feeds` they are writers, who publish with the token, and readers of the newspaper.
///
/// It runs until its standard input ends. Without `feeds`, it prints a line for each completed flow. The first request that fails,
/// and the first person who is logged out, ends it with status 1 and says what happened.
@main
struct ReplicaFlow {
    /// The number of people at a time.
    private static let people = 4

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 2 || arguments.count == 4 && arguments[2] == "feeds" else {
            end("usage: replica-flow URL [feeds TOKEN]")
        }
        let ending = Ending()
        if arguments.count == 4 {
            await publish(to: arguments[1], token: arguments[3], until: ending)
        } else {
            await visit(arguments[1], until: ending)
        }
    }

    private static func publish(to url: String, token: String, until ending: Ending) async {
        await endIfItFails {
            let press = try Press(url: url, token: token)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await press.run(until: ending) }
                group.addTask { try await awaitEnd(ending) }
                try await group.waitForAll()
            }
            say(press.summary)
        }
    }

    private static func visit(_ url: String, until ending: Ending) async {
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
            group.addTask { await endIfItFails { try await awaitEnd(ending) } }
        }
        say("nobody was logged out, and no request failed")
    }

    private static func awaitEnd(_ ending: Ending) async throws {
        try await Blocking.run { awaitEndOfInput() }
        ending.comes()
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
