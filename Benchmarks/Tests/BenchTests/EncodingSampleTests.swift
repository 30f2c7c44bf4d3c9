import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct EncodingSampleTests {
    @Test func `Each line is a sample`() throws {
        let samples = try EncodingSample.parse(
            """
            {"name":"backlot small","ns_per_page":2741.5}
            {"name":"jsonencoder large","ns_per_page":483000}

            """
        )
        #expect(
            samples == [
                EncodingSample(name: .backlotSmall, nanoseconds: 2741.5),
                EncodingSample(name: .jsonEncoderLarge, nanoseconds: 483_000),
            ]
        )
    }

    @Test(arguments: ["warming up", "{}", #"{"name":"other","ns_per_page":1}"#])
    func `A line of another form is refused`(line: String) {
        #expect(throws: CheckFailure.self) { try EncodingSample.parse(line) }
    }
}
