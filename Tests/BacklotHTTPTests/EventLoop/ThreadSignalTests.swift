import Dispatch
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ThreadSignalTests {
    @Test func `A signal that came before isn't lost, and counts once`() {
        let signal = ThreadSignal()
        signal.give()
        signal.give()
        #expect(signal.wait(atMost: .seconds(3600)))
        #expect(!signal.wait(atMost: .zero))
        #expect(!signal.wait(atMost: .milliseconds(-1)))
    }

    @Test func `A thread that waits is woken`() {
        let (signal, answer) = (ThreadSignal(), ThreadSignal())
        DispatchQueue(label: "waits").async {
            if signal.wait(atMost: .seconds(3600)) { answer.give() }
        }
        signal.give()
        #expect(answer.wait(atMost: .seconds(3600)))
    }

    @Test func `Without a signal, it waits as long as it was told`() {
        let begin = ContinuousClock.now
        #expect(!ThreadSignal().wait(atMost: .milliseconds(1050)))
        #expect(ContinuousClock.now - begin >= .milliseconds(1050))
    }
}
