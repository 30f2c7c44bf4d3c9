import Applin
import Backlot
import Foundation
import TestSupport
import Testing

/// Pictures as real clients send them: a PUT that waits for 100 Continue.
struct UploadTests {
    private func withUploads(_ body: (SocketAddress, _ folder: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let router = Router()
        router.applin("/") { app in
            app.upload("/photo", limit: 1000) { try await $0.body.save(to: folder + "/photo.jpg") }
            app.upload("/forbidden") { _ in throw StatusError(.forbidden, "No photos, please.") }
        }
        try await withServer(router.handler()) { try await body($0, folder) }
    }

    private func head(_ path: String, length: Int) -> String {
        "PUT \(path) HTTP/1.1\r\nHost: h\r\nContent-Type: image/jpeg\r\nExpect: 100-continue\r\n"
            + "Content-Length: \(length)\r\n\r\n"
    }

    private func contents(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func `A picture is asked for, streamed to a file, and answered with an empty body`() async throws {
        try await withUploads { address, folder in
            let client = try await RawClient.connect(to: address)
            try await client.send(head("/photo", length: 500))
            let interim = try await client.receivePiece()
            #expect(String(decoding: interim, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
            let picture = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
            try await client.send(picture)
            let answer = try await client.receive()
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            let saved = try Data(contentsOf: URL(filePath: folder + "/photo.jpg"))
            #expect(Array(saved) == picture)
            await client.close()
        }
    }

    @Test(arguments: [
        ("/forbidden", 500, 403, "No photos, please."), ("/photo", 1001, 413, "the body is larger than 1000 bytes"),
    ])
    func `A picture is refused before it is sent`(path: String, length: Int, status: Int, text: String) async throws {
        try await withUploads { address, folder in
            let client = try await RawClient.connect(to: address)
            try await client.send(head(path, length: length))
            let answer = try await client.receive()
            #expect(answer.status == status)
            #expect(answer.text == text)
            let left = try contents(folder)
            #expect(left == [])
            await client.close()
        }
    }

    @Test func `Half a picture leaves no file`() async throws {
        try await withUploads { address, folder in
            for _ in 0..<3 {
                let client = try await RawClient.connect(to: address)
                try await client.send(head("/photo", length: 500))
                _ = try await client.receivePiece()
                try await client.send([UInt8](repeating: 1, count: 250))
                await client.shutdownSending()
                let (bytes, _) = try await client.receiveToEnd()
                #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
                await client.close()
            }
            let left = try contents(folder)
            #expect(left == [])
        }
    }
}
