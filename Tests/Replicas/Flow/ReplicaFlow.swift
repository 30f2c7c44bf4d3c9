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
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Blocking.run { while readLine() != nil {} } }
                for number in 1...people {
                    group.addTask {
                        var flows = 0
                        while !ending.isDue {
                            try await Visitor(name: "visitor \(number).\(flows)", url: url).visit()
                            flows += 1
                            say("through: \(number).\(flows)")
                        }
                    }
                }
                group.addTask { try await Resident(url: url).stay(until: ending) }
                // The end of the input is what ends first.
                try await group.next()
                ending.comes()
                try await group.waitForAll()
            }
        } catch {
            end("FAILED: \(error)")
        }
        say("nobody was logged out, and no request failed")
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    private static func end(_ text: String) -> Never {
        say(text)
        exit(1)
    }
}
