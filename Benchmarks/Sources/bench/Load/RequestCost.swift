import Foundation

/// What a request takes of a program, by the difference of two runs with fewer and more of them: it leaves the program's start and end
/// out.
struct RequestCost: Equatable {
    var instructions: Double
    /// The misses of the simulated caches, as ``CallgrindReport`` has them.
    var instructionMisses: Double
    var dataMisses: Double
    var lastMisses: Double
    /// How often each function asks for memory.
    var allocations: [String: Double]

    /// - Parameter requests: how many requests there were more in the second run.
    init(from fewer: CallgrindReport, to more: CallgrindReport, requests: Int) {
        func each(_ fewer: Int, _ more: Int) -> Double { Double(more - fewer) / Double(requests) }
        instructions = each(fewer.instructions, more.instructions)
        instructionMisses = each(fewer.instructionMisses, more.instructionMisses)
        dataMisses = each(fewer.dataMisses, more.dataMisses)
        lastMisses = each(fewer.lastMisses, more.lastMisses)
        allocations = [:]
        for (function, count) in more.allocations {
            let count = each(fewer.allocations[function] ?? 0, count)
            // Once in a hundred requests is a buffer that grows.
            if count >= 0.01 { allocations[function] = count }
        }
    }

    /// The number of allocations.
    var allocationCount: Double { allocations.values.reduce(0, +) }

    /// The functions that ask for memory, the one that does so most often first.
    func allocationLines(_ plan: Plan) throws -> [String] {
        let sorted = allocations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let names = try sorted.map(\.key).map { try Self.readable($0, plan) }
        return zip(sorted, names).map { "\(Figure.decimal($0.value)) by \($1)" }
    }

    /// A function's name as it stands in the source; as the linker knows it where nothing can tell.
    private static func readable(_ name: String, _ plan: Plan) throws -> String {
        guard name.hasPrefix("$s"), let program = try? Executable.find("swift-demangle") else { return name }
        let output = try ChildProcess(
            "swift-demangle",
            executable: program,
            arguments: ["--compact", "--simplified", name],
            in: plan.workspace
        ).finish()
        return output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
