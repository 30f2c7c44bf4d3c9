import TestSupport
import Testing

@testable import Backlot

/// Files that were asked for a moment ago are still open; what is answered must be what stands there now.
@Suite(.timeLimit(.minutes(5))) struct FileCacheTests {
    private func withFiles(
        _ body: (TemporaryFolder, (String, HTTPFields) async throws -> String?) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder async throws in
            try folder.write("first", to: "public/a.txt")
            try folder.write("inner", to: "public/sub/b.txt")
            try folder.write("secret", to: "secret.txt")
            let router = Router()
            router.files(folder.path + "/public")
            let handler = router.handler()
            /// The text at a path; nil where there is no file.
            func text(_ path: String, _ headers: HTTPFields) async throws -> String? {
                let request = try Request(.get, path, headers: headers)
                do {
                    // Only what is found at once is kept open. What has to wait for the disk is found at once the next time.
                    let response = try await handler(request)
                    guard case .ready(let again) = try handler.respond(to: request) else { return response.bodyText }
                    return again.bodyText
                } catch let error as StatusError where error.status == .notFound {
                    return nil
                }
            }
            #expect(try await text("/a.txt", [:]) == "first")
            #expect(try await text("/sub/b.txt", [:]) == "inner")
            try await body(folder, text)
        }
    }

    @Test func `A changed file is served with its new content`() async throws {
        try await withFiles { folder, text in
            try folder.write("the second", to: "public/a.txt")
            #expect(try await text("/a.txt", [:]) == "the second")
        }
    }

    @Test func `A change shows under each spelling of the path`() async throws {
        try await withFiles { folder, text in
            let paths = ["/a.txt", "/%61.txt"]
            for path in paths { #expect(try await text(path, [:]) == "first") }
            try folder.write("the second", to: "public/a.txt")
            for path in paths { #expect(try await text(path, [:]) == "the second") }
            try folder.remove("public/a.txt")
            for path in paths { #expect(try await text(path, [:]) == nil) }
        }
    }

    @Test func `A file moved over another is served in its place`() async throws {
        try await withFiles { folder, text in
            try folder.write("other", to: "public/new.txt")
            try folder.remove("public/a.txt")
            try folder.move("public/new.txt", to: "public/a.txt")
            #expect(try await text("/a.txt", [:]) == "other")
        }
    }

    @Test func `A removed file is no longer served`() async throws {
        try await withFiles { folder, text in
            try folder.remove("public/a.txt")
            #expect(try await text("/a.txt", [:]) == nil)
        }
    }

    @Test func `A file that becomes a link out of the folder is no longer served`() async throws {
        try await withFiles { folder, text in
            try folder.remove("public/a.txt")
            try folder.makeLink("public/a.txt", to: "../secret.txt")
            #expect(try await text("/a.txt", [:]) == nil)
        }
    }

    @Test func `Files of a folder that becomes a link out are no longer served`() async throws {
        try await withFiles { folder, text in
            try folder.move("public/sub", to: "before")
            try folder.write("secret", to: "elsewhere/b.txt")
            try folder.makeLink("public/sub", to: "../elsewhere")
            #expect(try await text("/sub/b.txt", [:]) == nil)
        }
    }

    @Test func `The plain file is served once its compressed one is removed`() async throws {
        try await withFiles { folder, text in
            try folder.write("plain", to: "public/c.txt")
            try folder.write("coded", to: "public/c.txt.gz")
            let gzip: HTTPFields = [.acceptEncoding: "gzip"]
            #expect(try await text("/c.txt", gzip) == "coded")
            #expect(try await text("/c.txt", [:]) == "plain")
            try folder.remove("public/c.txt.gz")
            #expect(try await text("/c.txt", gzip) == "plain")
        }
    }

    @Test func `Files beyond the cache's 256 entries are served too`() async throws {
        try await withFiles { folder, text in
            for number in 0..<300 { try folder.write("\(number)", to: "public/many/\(number).txt") }
            for _ in 0..<2 {
                var wrong = 0
                for number in 0..<300 where try await text("/many/\(number).txt", [:]) != "\(number)" { wrong += 1 }
                #expect(wrong == 0)
            }
        }
    }
}
