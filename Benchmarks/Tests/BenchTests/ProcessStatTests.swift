import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct ProcessStatTests {
    private func make(name: String) -> String {
        "4211 (\(name)) S 4200 4211 4200 34816 4211 4194304 1017 0 2 0 123 45 6 7 20 0 3 0 98765 117 9 18446744073709551615\n"
    }

    @Test(arguments: ["nginx", "nginx: worker", "a) S 1 (b", ")", ""])
    func `The fields are read behind any name`(name: String) throws {
        let stat = try #require(ProcessStat(parsing: make(name: name)))
        #expect(stat.pid == 4211)
        #expect(stat.parent == 4200)
        #expect(stat.state == "S")
        #expect(stat.userTicks == 123)
        #expect(stat.systemTicks == 45)
    }

    @Test(arguments: ["", "4211", "4211 (x", "4211 (x) S 1", "x (x) S 1 2 3 4 5 6 7 8 9 10 11 12 13"])
    func `A line of another form is not read`(line: String) {
        #expect(ProcessStat(parsing: line) == nil)
    }
}
