import Testing

@testable import BacklotClients

/// A client's memory of verdicts about the pages that it has read.
@Suite(.timeLimit(.minutes(5))) struct VerdictMemoryTests {
    private let verdict = ResponseInspector.Verdict(result: .success(nil), findings: [])

    @Test func `A verdict is about a page and its bytes`() {
        var memory = VerdictMemory()
        memory.remember(verdict, of: [1], at: "/a")
        #expect(memory["/a", [1]] != nil)
        #expect(memory["/a", [2]] == nil)
        #expect(memory["/b", [1]] == nil)
        memory.remember(verdict, of: [2], at: "/a")
        #expect(memory["/a", [1]] == nil)
        #expect(memory["/a", [2]] != nil)
        #expect(memory.count == 1)
    }

    @Test func `It is bounded in pages and in bytes`() {
        var memory = VerdictMemory()
        for number in 0..<1000 {
            memory.remember(verdict, of: [1], at: "/\(number)")
            #expect(memory.count <= 100)
        }
        let large = [UInt8](repeating: 1, count: 1024 * 1024)
        for number in 0..<10 {
            memory.remember(verdict, of: large, at: "/large/\(number)")
            #expect(memory["/large/\(number)", large] != nil)
        }
        #expect(memory.count <= 4)
        memory.remember(verdict, of: [1], at: "/large/9")
        memory.remember(verdict, of: [UInt8](repeating: 1, count: 4 * 1024 * 1024 + 1), at: "/larger")
        #expect(memory["/large/9", [1]] != nil)
    }
}
