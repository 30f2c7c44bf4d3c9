import HTTPTypes
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ReadyTests {
    private struct Failure: Error, Equatable {}

    private static func text(_ response: Response) -> String {
        if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    private static func shout(_ response: Response) -> Response { .text(text(response) + "!") }

    @Test(arguments: [false, true]) func `map changes the response`(_ isPending: Bool) async throws {
        let response: HandlerResult = isPending ? .pending { .text("a") } : .ready(.text("a"))
        #expect(Self.text(try await response.map(Self.shout).map(Self.shout).response()) == "a!!")
    }

    /// What is there stays there: no task is needed.
    @Test func `map keeps a response ready`() throws {
        guard case .ready = try HandlerResult.ready(Response()).map({ $0 }) else {
            Issue.record("pending")
            return
        }
        #expect(throws: Failure.self) { try HandlerResult.ready(Response()).map { _ in throw Failure() } }
    }

    @Test func `Pending work runs when its response is requested`() async throws {
        let calls = Recorder<String>()
        let result = HandlerResult.pending {
            calls.record("work")
            throw Failure()
        }
        let mapped = try result.map { response in
            calls.record("map")
            return response
        }
        #expect(calls.events.isEmpty)
        await #expect(throws: Failure.self) { try await mapped.response() }
        #expect(calls.events == ["work"])
    }

    private struct Ending: Handler {
        let kind: String

        func respond(to request: Request) throws -> HandlerResult {
            switch kind {
            case "throws": throw Failure()
            case "fails": .pending { throw Failure() }
            case "ready": .ready(.text("fine"))
            default: .pending { .text("fine") }
            }
        }
    }

    /// Every way to end: at once or later, with an error or a response.
    @Test(arguments: ["throws", "fails", "ready", "pending"]) func `The outcome holds a response or an error`(
        _ kind: String
    ) async throws {
        let outcome = Ending(kind: kind).outcome(of: try Request(.get, "/"))
        let isReady = if case .ready = outcome { true } else { false }
        #expect(isReady == ["throws", "ready"].contains(kind))
        switch try await outcome.value {
        case .success(let response): #expect(Self.text(response) == "fine" && ["ready", "pending"].contains(kind))
        case .failure(let error): #expect(error is Failure && ["throws", "fails"].contains(kind))
        }
    }

    /// A closure that doesn't suspend needs no task.
    @Test func `Functions respond at once unless they suspend`() throws {
        let request = try Request(.get, "/")
        guard case .ready = try FunctionHandler({ _ in .text("") }).respond(to: request) else {
            Issue.record("pending")
            return
        }
        guard case .pending = try FunctionHandler({ .text("\(try await $0.body.collect())") }).respond(to: request)
        else {
            Issue.record("ready")
            return
        }
    }
}
