import Applin
import Backlot
import BacklotChecks
import BacklotMocks
import BacklotRecording
import BacklotTesting
import Foundation
import TestSupport
import Testing

@testable import demo_server

/// A session of two people becomes a test, which is in this folder and runs by itself, too.
@Suite(.timeLimit(.minutes(5))) struct NotesRecordingTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path

    /// A new recording, without secrets, and what stands for them.
    private func record() async throws -> (exchanges: [RecordedExchange], pseudonyms: Set<String>) {
        let session = try NotesSession(DemoClient.server())
        try await session.run()
        var redaction = Redaction()
        let exchanges = redaction.redacted(session.exchanges)
        return (exchanges, redaction.pseudonyms)
    }

    private func tests(of recording: (exchanges: [RecordedExchange], pseudonyms: Set<String>)) async -> RecordedTests {
        var options = RecordedTests.Options()
        options.name = "NotesRecordedTests"
        options.routes = "Tests/DemoServerTests/Recorded/Routes"
        options.pseudonyms = recording.pseudonyms
        return await RecordedTests(recording.exchanges, options: options)
    }

    /// A test without what stands for secrets, which each recording chooses anew.
    private func withoutSecrets(_ source: String) -> String {
        source.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.contains("private static let") ? $0.prefix { $0 != "?" } : $0 }
            .joined(separator: "\n")
    }

    @Test func `Every recording of the session becomes the same test`() async throws {
        let recording = try await record()
        let tests = await tests(of: recording)
        let file = "\(Self.folder)/NotesRecordedTests.swift"
        let isNew = !FileManager.default.fileExists(atPath: file)
        if isNew {
            // Look at both before they are committed.
            try Data(tests.source.utf8).write(to: URL(filePath: file))
            let routes = RouteRecording(recording.exchanges, formats: MockSite.formats)
            try RecordingWriter("\(Self.folder)/Routes").write(routes.files, update: true)
        }
        let known = try #require(FileManager.default.contents(atPath: file))
        let difference = LineDifference(
            from: withoutSecrets(String(decoding: known, as: UTF8.self)),
            to: withoutSecrets(tests.source)
        )
        #expect(difference == nil, "\(difference.map { "\($0)" } ?? "")")
        #expect(!isNew)
        #expect(tests.report == ["48 requests of 2 clients became 51 steps"])
    }

    @Test(arguments: ClientReach.allCases)
    func `The test passes against the backend`(reach: ClientReach) async throws {
        let router = Router.demo()
        try await withApplinClient(router, at: DemoMount.objects.path, over: reach) { app in
            try await NotesRecordedTests.replay(on: app)
        }
    }

    @Test func `The test passes against mocks of any recording`() async throws {
        let recording = try await record()
        try await withTemporaryFolder { folder in
            let routes = RouteRecording(recording.exchanges, formats: MockSite.formats)
            try RecordingWriter(folder.path).write(routes.files, update: false)
            let backend = MockBackend(MockConfiguration(formats: MockSite.formats))
            try RouteFiles(folder.path, backend: backend).load()
            let router = Router()
            router.mocks(backend)
            for _ in 1...2 {
                try await NotesRecordedTests.replay(on: ApplinClient(router.handler(), at: DemoMount.objects.path))
            }
        }
    }
}
