import HTTPTypes
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct HandlerResultTests {
    private struct Failure: Error, Equatable {}

    private static func text(_ response: Response) -> String {
        if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    private static func shout(_ response: Response) -> Response { .text(text(response) + "!") }

    @Test(arguments: [false, true]) func mapChangesTheResponse(_ isPending: Bool) async throws {
        let answer: HandlerResult = isPending ? .pending { .text("a") } : .ready(.text("a"))
        #expect(Self.text(try await answer.map(Self.shout).map(Self.shout).response()) == "a!!")
    }

    /// What is there stays there: no task is needed.
    @Test func mapKeepsAResponseReady() throws {
        guard case .ready = try HandlerResult.ready(Response()).map({ $0 }) else {
            Issue.record("pending")
            return
        }
        #expect(throws: Failure.self) { try HandlerResult.ready(Response()).map { _ in throw Failure() } }
    }

    @Test func pendingWorkRunsWhenItIsAskedFor() async throws {
        let calls = Recorder<String>()
        let answer = HandlerResult.pending {
            calls.record("work")
            throw Failure()
        }
        let mapped = try answer.map { response in
            calls.record("map")
            return response
        }
        #expect(calls.events.isEmpty)
        await #expect(throws: Failure.self) { try await mapped.response() }
        #expect(calls.events == ["work"])
    }

    /// Every way to fail: at once, later, and with a response.
    @Test(arguments: ["throws", "fails", "ready", "pending"]) func ofSeesHowAnAnswerEnds(_ kind: String) async throws {
        let calls = Recorder<String>()
        let answer = try HandlerResult.of {
            switch kind {
            case "throws": throw Failure()
            case "fails": .pending { throw Failure() }
            case "ready": .ready(.text("fine"))
            default: .pending { .text("fine") }
            }
        } then: { result in
            calls.record("then")
            switch result {
            case .success(let response): return .ready(Self.shout(response))
            case .failure(let error): return .ready(.text("\(error is Failure)"))
            }
        }
        let text = Self.text(try await answer.response())
        #expect(text == (kind == "throws" || kind == "fails" ? "true" : "fine!"))
        #expect(calls.events == ["then"])
    }

    @Test func whatThenThrowsIsNotGivenToItAgain() {
        let calls = Recorder<String>()
        #expect(throws: Failure.self) {
            try HandlerResult.of {
                .ready(Response())
            } then: { _ in
                calls.record("then")
                throw Failure()
            }
        }
        #expect(calls.events == ["then"])
    }

    /// A closure that doesn't suspend needs no task.
    @Test func functionsAnswerAtOnceUnlessTheySuspend() throws {
        let request = try Request(.get, "/")
        guard case .ready = try FunctionHandler({ _ in .text("") }).answer(request) else {
            Issue.record("pending")
            return
        }
        guard case .pending = try FunctionHandler({ .text("\(try await $0.body.collect())") }).answer(request) else {
            Issue.record("ready")
            return
        }
    }
}
