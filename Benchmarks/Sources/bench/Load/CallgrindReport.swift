/// What callgrind has counted of a program, from its start to its end: of the program itself, not of the system on its behalf.
struct CallgrindReport: Equatable {
    /// The instructions.
    var instructions: Int
    /// How often the simulated first cache did not hold an instruction.
    var instructionMisses: Int
    /// How often the simulated first cache did not hold what was read or written.
    var dataMisses: Int
    /// How often the simulated last cache did not hold either.
    var lastMisses: Int
    /// How often each function has asked for memory, by its name as the linker knows it.
    var allocations: [String: Int]

    /// Functions that hand out memory, and those that they ask in turn.
    private static let allocators: Set<Substring> = [
        "malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "swift_allocObject", "_swift_allocObject_",
        "swift_slowAlloc", "swift_slowAllocTyped", "swift_allocBox", "operator new(unsigned long)",
    ]

    /// Parses a file of callgrind's; nil without its totals.
    ///
    /// Of all that is in it, these lines count: the events' names and totals, the functions (`fn=`) and those that they call
    /// (`cfn=`, `calls=`). A name stands behind its number where it comes first, and is left out later.
    init?(parsing text: String) {
        var events: [Substring] = []
        var totals: [Substring: Int] = [:]
        var names: [Substring: Substring] = [:]
        var (caller, callee): (Substring, Substring) = ("", "")
        allocations = [:]
        func name(_ text: Substring) -> Substring {
            let parts = text.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { names[parts[0]] = parts[1] }
            return names[parts[0]] ?? text
        }
        for line in text.split(separator: "\n") {
            guard let mark = line.firstIndex(where: { $0 == "=" || $0 == ":" }) else { continue }
            let value = line[line.index(after: mark)...]
            switch line[..<mark] {
            case "events": events = value.split(separator: " ")
            case "totals": totals = Dictionary(zip(events, value.split(separator: " ").compactMap { Int($0) })) { $1 }
            case "fn": caller = name(value)
            case "cfn": callee = name(value)
            case "calls":
                guard Self.allocators.contains(callee), !Self.allocators.contains(caller),
                    let count = value.split(separator: " ").first.flatMap({ Int($0) })
                else { continue }
                allocations[String(caller), default: 0] += count
            default: break
            }
        }
        guard totals["Ir"] != nil else { return nil }
        func sum(_ events: Substring...) -> Int { events.reduce(0) { $0 + (totals[$1] ?? 0) } }
        instructions = sum("Ir")
        instructionMisses = sum("I1mr")
        dataMisses = sum("D1mr", "D1mw")
        lastMisses = sum("ILmr", "DLmr", "DLmw")
    }
}
