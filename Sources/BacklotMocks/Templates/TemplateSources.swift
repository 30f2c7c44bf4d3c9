internal import Backlot
import BacklotHTTP
import BacklotJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Values of templates that aren't in the request: counters, the time, random values.
final class TemplateSources: Sendable {
    private struct State {
        var counters: [String: Int] = [:]
        var random: SplitMix64
    }

    private let state: Locked<State>
    private let seed: UInt64?

    /// - Parameter seed: the seed of random values: with one, each run has the same; nil for others in each run.
    init(seed: UInt64?) {
        self.seed = seed
        state = Locked(State(random: Self.generator(seed)))
    }

    private static func generator(_ seed: UInt64?) -> SplitMix64 {
        SplitMix64(
            seed: seed
                ?? {
                    var system = SystemRandomNumberGenerator(); return system.next()
                }()
        )
    }

    /// Begins anew: counters at 0, and random values as at the beginning if there is a seed.
    func reset() {
        state.withLock { state in
            state.counters = [:]
            if seed != nil { state.random = Self.generator(seed) }
        }
    }

    /// The next value of a counter, from 1.
    func count(_ name: String) -> Int {
        state.withLock { state in
            state.counters[name, default: 0] += 1
            return state.counters[name, default: 1]
        }
    }

    func draw<Value>(_ body: (inout SplitMix64) -> Value) -> Value {
        state.withLock { body(&$0.random) }
    }

    func random(_ kind: String?) -> TemplateValue {
        switch kind {
        case "uuid": .text("\(StubID(draw { ($0.next(), $0.next()) }))")
        case "number": .json(.number(JSONNumber(Int64(draw { Int.random(in: 0..<1_000_000, using: &$0) }))))
        case "word":
            .text(
                draw { random in
                    String((0..<8).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a" })
                }
            )
        default: .json(JSONNumber(draw { Double.random(in: 0..<1, using: &$0) }).map(JSONValue.number) ?? .null)
        }
    }

    func now(_ kind: String?) -> TemplateValue {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let milliseconds = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        switch kind {
        case "seconds": return .json(.number(JSONNumber(milliseconds / 1000)))
        case "milliseconds": return .json(.number(JSONNumber(milliseconds)))
        case "date": return .text(String(HTTPDate(secondsSince1970: Int(time.tv_sec)).rfc3339.prefix(10)))
        default: return .text(HTTPDate(secondsSince1970: Int(time.tv_sec)).rfc3339)
        }
    }
}
