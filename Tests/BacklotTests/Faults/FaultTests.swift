import TestSupport
import Testing

@testable import Backlot

/// Reading faults, and the queue in which they wait.
@Suite(.timeLimit(.minutes(5))) struct FaultTests {
    @Test(arguments: [
        ("status=503", Fault(status: .serviceUnavailable)),
        ("delay=2000", Fault(delay: .milliseconds(2000))),
        ("fault=EMPTY_RESPONSE", Fault(connection: .emptyResponse)),
        ("fault=connection_reset_by_peer", Fault(connection: .connectionReset)),
        (
            "status=200; delay=0; fault=MALFORMED_RESPONSE_CHUNK",
            Fault(status: .ok, delay: .zero, connection: .malformedChunk)
        ),
        (" Status = 599 ;delay\t=120000;", Fault(status: .init(code: 599), delay: .milliseconds(120_000))),
        ("status=404&delay=1", Fault(status: .notFound, delay: .milliseconds(1))),
        ("status=404, delay=1", Fault(status: .notFound, delay: .milliseconds(1))),
        ("answer=lost; delay=3", Fault(delay: .milliseconds(3), losesResponse: true)),
    ])
    func `What can be asked for`(text: String, expected: Fault) throws {
        #expect(try Fault(parsing: text) == expected)
    }

    @Test(arguments: [
        ("", "it says nothing"),
        (" ; ", "it says nothing"),
        ("status", "'status' has no value"),
        ("status=", "the status '' isn't a whole number"),
        ("status=199", "the status 199 is out of range"),
        ("status=600", "the status 600 is out of range"),
        ("status=+503", "the status '+503' isn't a whole number"),
        ("status=99999999999999999999", "the status '99999999999999999999' isn't a whole number"),
        ("delay=-1", "the delay '-1' isn't a whole number"),
        ("delay=120001", "the delay 120001 is out of range"),
        ("delay=2s", "the delay '2s' isn't a whole number"),
        ("fault=TIMEOUT", "the fault 'TIMEOUT' is unknown"),
        ("code=503", "'code' is unknown"),
        ("answer=found", "the answer 'found' is unknown"),
        ("status=503; STATUS=504", "'status' is set twice"),
        ("503", "'503' has no value"),
        ((1...20).map { "a\($0)=1" }.joined(separator: ";"), "'a1' is unknown"),
        ((1...21).map { "a\($0)=1" }.joined(separator: ";"), "it has more than 20 parts"),
    ])
    func `What can't be is refused, with what can`(text: String, problem: String) {
        let error = #expect(throws: FaultSyntaxError.self) { try Fault(parsing: text) }
        #expect(
            error?.description == problem + "; write one or more of status=200…599, delay=0…120000 (milliseconds), "
                + "answer=lost and fault=CONNECTION_RESET_BY_PEER|EMPTY_RESPONSE|MALFORMED_RESPONSE_CHUNK|RANDOM_DATA_THEN_CLOSE, "
                + "such as 'status=503; delay=2000'"
        )
    }

    @Test func `Descriptions are read back`() throws {
        let fault = Fault(status: .notFound, delay: .milliseconds(5), connection: .randomData, losesResponse: true)
        #expect("\(fault)" == "status=404; delay=5; fault=RANDOM_DATA_THEN_CLOSE; answer=lost")
        #expect(try Fault(parsing: "\(fault)") == fault)
        #expect(try Fault(parsing: "\(Fault(delay: .milliseconds(7)))") == Fault(delay: .milliseconds(7)))
    }

    @Test func `Mutated texts trap nothing, and what is read is read again`() throws {
        let seeds = [
            "status=503; delay=2000; fault=EMPTY_RESPONSE", "delay=0&status=200", "fault=RANDOM_DATA_THEN_CLOSE",
        ]
        var mutator = Mutator(
            random: SeededGenerator(seed: 6),
            tokens: ["=", ";", "&", ",", " ", "status=", "9223372036854775808", "\u{301}"].map { Array($0.utf8) }
        )
        var count = 0
        for round in 0..<20_000 {
            let text = String(decoding: mutator.mutate(Array(seeds[round % seeds.count].utf8)), as: UTF8.self)
            guard let fault = try? Fault(parsing: text), fault != Fault() else { continue }
            count += 1
            let again = try Fault(parsing: "\(fault)")
            #expect(again == fault, "\(text)")
        }
        #expect((100..<19_000).contains(count), "\(count)")
    }

    @Test func `Each order goes to its client and path, so many times, in order`() {
        let (ada, bob) = (FaultClient.session(cookie: "ada"), FaultClient.session(cookie: "bob"))
        func fault(_ code: Int) -> Fault { Fault(status: .init(code: code)) }
        var queue = FaultQueue()
        queue.add(FaultOrder(fault(501), times: 2, for: ada))
        queue.add(FaultOrder(fault(502), for: .noSession))
        queue.add(FaultOrder(fault(503), for: ada, path: "/save"))
        queue.add(FaultOrder(fault(504), for: .anyone))
        #expect(queue.take(for: ada, path: "/") == fault(501))
        #expect(queue.take(for: .noSession, path: "/save") == fault(502))
        #expect(queue.take(for: ada, path: "/save") == fault(501))
        #expect(queue.take(for: bob, path: "/save") == fault(504))
        #expect(queue.take(for: bob, path: "/save") == nil)
        #expect(queue.take(for: ada, path: "/") == nil)
        #expect(queue.take(for: ada, path: "/save") == fault(503))
        #expect(queue.orders.isEmpty)
    }

    @Test func `What waits can be dropped, and is bounded`() {
        var queue = FaultQueue()
        for index in 0..<1100 {
            queue.add(
                FaultOrder(Fault(delay: .milliseconds(index)), for: index.isMultiple(of: 2) ? .noSession : .anyone)
            )
        }
        #expect(queue.orders.count == 1000 && queue.orders[0].fault.delay == .milliseconds(100))
        #expect(queue.remove(for: .anyone) == 500)
        #expect(queue.remove(for: .anyone) == 0)
        #expect(queue.remove(for: nil) == 500)
        #expect(queue.orders.isEmpty)
    }

    @Test func `A session is shown by its hash alone`() {
        #expect("\(FaultClient.session(cookie: "secret"))" == "session 2bb80d537b1d")
        #expect("\(FaultClient.noSession)" == "no session")
        #expect("\(FaultClient.anyone)" == "anyone")
    }
}
