import Testing

@testable import BacklotHTTP

/// However a client's bytes are cut into pieces, they mean the same: here without a socket, and at every byte.
@Suite(.timeLimit(.minutes(5))) struct CutTests {
    @Test func everyCaseIsReadAsItMustBe() {
        for example in WireCase.all {
            let answers = WireReader.answers(to: example.wire, cuts: [])
            #expect(answers == example.answers, "\(example.title)")
        }
    }

    @Test func noCutMatters() async {
        for example in WireCase.all {
            let wire = example.wire
            let bytewise = WireReader.answers(to: wire, cuts: 0..<wire.count)
            #expect(bytewise == example.answers, "\(example.title), one byte at a time")
            // In what is thousands of bytes long, most are alike.
            let step = wire.count > 2000 ? wire.count / 20 : 1
            for cut in stride(from: 0, to: wire.count, by: step) {
                // Others wait for the thread, some of them with a client that has little time.
                if step > 1 || cut.isMultiple(of: 20) { await Task.yield() }
                let answers = WireReader.answers(to: wire, cuts: CollectionOfOne(cut))
                if answers != example.answers {
                    Issue.record("\(example.title): \(answers), not \(example.answers), cut at byte \(cut)")
                }
            }
        }
    }
}
