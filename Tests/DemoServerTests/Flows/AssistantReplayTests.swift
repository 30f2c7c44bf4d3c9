import A2UI
import Applin
import Backlot
import BacklotClients
import BacklotHTTP
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording
@testable import demo_server

/// The booking assistant, recorded through a proxy and replayed from the files.
@Suite(.timeLimit(.minutes(3))) struct AssistantReplayTests {
    /// Books a visit and cancels it, and then listens to the stream.
    ///
    /// - Parameter push: lets the server start something.
    /// - Returns: the texts after each step, and after the change of the stream.
    private func visit(_ address: SocketAddress, push: () async throws -> Void) async throws -> [[String]] {
        let app = try A2UIClient(url: "http://\(address)/assistant/")
        try await app.launch()
        var seen = [app.texts]
        try app.enter("Ada", into: "Name")
        for step in ["Take 09:00 with Dr Ito", "Book", "Cancel the visit"] {
            try await app.tap(step)
            seen.append(app.texts)
        }
        try await app.listen()
        try await push()
        try await app.receive()
        seen.append(app.texts)
        await app.stopListening()
        return seen
    }

    @Test func `A recorded visit with its stream is replayed`() async throws {
        let router = Router()
        AssistantApp().register(on: router, sessions: MemorySessionStore())
        let handler = router.handler()
        let other = try A2UIClient(router, at: "/assistant/")
        let (recorder, recorded) = try await withServer(handler) { address in
            let origin = try #require(Origin("http://\(address)"))
            let (recorder, proxy) = (Recorder(origin), ReverseProxy(origin: origin))
            return try await withServer(FunctionHandler { await proxy.respond(to: $0) { recorder.note($0) } }) {
                address in
                let seen = try await visit(address) {
                    try await other.launch()
                    try await other.tap("Take 09:00 with Dr Ito")
                }
                let end = ContinuousClock.now + .seconds(60)
                while recorder.contents.exchanges.count < 6, .now < end {
                    try await Task.sleep(for: .milliseconds(5))
                }
                return (recorder, seen)
            }
        }
        #expect(recorder.contents.skipped == [])
        #expect(
            recorded[1].contains("Yours: 09:00 with Dr Ito") && recorded[2].contains("Thank you, Ada"),
            "\(recorded)"
        )
        #expect(recorded[3].contains("09:00 with Dr Ito") && !recorded[4].contains("09:00 with Dr Ito"), "\(recorded)")
        let report = RecordingReport(
            recorder.contents.exchanges,
            skipped: [],
            keys: [],
            formats: demoFormats,
            options: RouteRecording.Options()
        )
        try await withTemporaryFolder { folder in
            for file in report.files { try folder.write(String(decoding: file.bytes, as: UTF8.self), to: file.path) }
            let mocks = MockBackend(MockConfiguration(formats: demoFormats), logger: .silent)
            try RouteFiles(folder.path, backend: mocks).load()
            let router = Router()
            router.mocks(mocks)
            for _ in 0..<2 {
                let replayed = try await withServer(router.handler()) { try await visit($0) {} }
                #expect(replayed == recorded)
            }
        }
    }

    private let demoFormats: [FileFormat] = [.applin(), .a2ui()]
}
