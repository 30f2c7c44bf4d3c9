import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct TimedSampleTests {
    @Test func `Each line is a sample`() throws {
        let samples = try TimedSample.parse(
            """
            {"name":"backlot small","ns":2741.5}
            {"name":"jsonencoder large","ns":483000}

            """
        )
        #expect(
            samples == [
                TimedSample(name: "backlot small", nanoseconds: 2741.5),
                TimedSample(name: "jsonencoder large", nanoseconds: 483_000),
            ]
        )
    }

    @Test(arguments: ["warming up", "{}", #"{"name":7,"ns":1}"#])
    func `A line of another form is refused`(line: String) {
        #expect(throws: CheckFailure.self) { try TimedSample.parse(line) }
    }
}
