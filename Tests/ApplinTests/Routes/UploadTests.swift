import Applin
import Backlot
import Foundation
import TestSupport
import Testing

/// Pictures as real clients send them: a PUT that waits for 100 Continue.
@Suite(.timeLimit(.minutes(5))) struct UploadTests {
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
            let picture = [0xFF, 0xD8, 0xFF] + (3..<500).map { UInt8(truncatingIfNeeded: $0) }
            try await client.send(picture)
            let response = try await client.receive()
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
            let saved = try Data(contentsOf: URL(filePath: folder + "/photo.jpg"))
            #expect(Array(saved) == picture)
            await client.close()
        }
    }

    @Test(arguments: [
        ("/forbidden", 500, 403, "No photos, please."),
        ("/photo", 1001, 422, "This picture is too large. Please choose one of 1000 bytes or less."),
    ])
    func `A picture is refused before it is sent`(path: String, length: Int, status: Int, text: String) async throws {
        try await withUploads { address, folder in
            let client = try await RawClient.connect(to: address)
            try await client.send(head(path, length: length))
            let response = try await client.receive()
            #expect(response.status == status)
            #expect(response.text == text)
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
                try await client.send([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 247))
                await client.shutdownSending()
                let (bytes, _) = try await client.receiveToEnd()
                #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
                await client.close()
            }
            let left = try contents(folder)
            #expect(left == [])
        }
    }

    @Test func `What is no picture is refused, and leaves no file`() async throws {
        try await withUploads { address, folder in
            let client = try await RawClient.connect(to: address)
            try await client.send(head("/photo", length: 9))
            _ = try await client.receivePiece()
            try await client.send(Array("<html></h".utf8))
            let response = try await client.receive()
            #expect(response.status == 422)
            #expect(
                response.text
                    == "This picture can't be used here. Please choose one in the format JPEG, PNG or HEIC."
            )
            let left = try contents(folder)
            #expect(left == [])
            await client.close()
        }
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .png),
            ([0, 0, 0, 24] + Array("ftypheic".utf8), .heic), ([0, 0, 0, 24] + Array("ftypmif1".utf8), .heic),
            ([0, 0, 0, 24] + Array("ftypmp42".utf8), nil), ([0, 0, 0, 24] + Array("ftyphei".utf8), nil),
            ([0xFF, 0xD8], nil), ([], nil), (Array("GIF89a".utf8), nil),
        ] as [([UInt8], PictureFormat?)]
    )
    func `A format is told by the first bytes`(bytes: [UInt8], format: PictureFormat?) {
        #expect(PictureFormat(bytes) == format)
    }

    @Test(arguments: ["", "a", "GIF89a-and-more"])
    func `A place for anything takes anything, and another refuses what it doesn't take`(text: String) async throws {
        let router = Router()
        router.applin("/") { app in
            app.upload("/any", formats: []) { _ = try await $0.body.collect() }
            app.upload("/png", formats: [.png]) { _ = try await $0.body.collect() }
        }
        let handler = router.handler()
        let body = Array(text.utf8)
        #expect(try await handler(Request(.put, "/any", body: body)).status == .ok)
        let error = await #expect(throws: UserError.self) { try await handler(Request(.put, "/png", body: body)) }
        #expect(error?.reason.hasSuffix("in the format PNG.") == true)
    }
}
