import Backlot
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SaveTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func contents(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func `A whole body becomes a file, and replaces what was there`() async throws {
        try await withFolder { folder in
            for text in ["first", "second one"] {
                let size = try await RequestBody(Array(text.utf8)).save(to: folder + "/photo.jpg")
                #expect(size == text.utf8.count)
                let data = try Data(contentsOf: URL(filePath: folder + "/photo.jpg"))
                #expect(String(decoding: data, as: UTF8.self) == text)
            }
            #expect(try contents(folder) == ["photo.jpg"])
        }
    }

    @Test func `A body that is too large leaves nothing`() async throws {
        try await withFolder { folder in
            let body = RequestBody(Array("too large".utf8), limit: 3)
            await #expect(throws: RequestError.bodyTooLarge(limit: 3)) { try await body.save(to: folder + "/a") }
            let left = try contents(folder)
            #expect(left == [])
        }
    }

    @Test func `A folder that isn't there is an error that names the file`() async throws {
        let body = RequestBody(Array("x".utf8))
        let error = await #expect(throws: FileError.self) { try await body.save(to: "/nowhere/at/all") }
        #expect(error?.description == "can't use the file '/nowhere/at/all': No such file or directory")
    }

    private func makeRouter(_ folder: String, _ budget: UploadBudget) -> Router {
        var limits = MultipartLimits()
        limits.budget = budget
        let router = Router()
        router.put("/photo") { request in
            try await request.body.save(to: "\(folder)/photo", within: budget)
            return .text("saved")
        }
        router.post("/form") { [limits] request in
            _ = try await request.form(filesIn: folder, limits: limits)
            return .text("saved")
        }
        router.post("/form/parts") { [limits] request in
            let reader = try request.multipart(limits: limits)
            while try await reader.next() != nil { try await reader.save(to: "\(folder)/part") }
            return .text("saved")
        }
        return router
    }

    private static let formHead = "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a\"\r\n\r\n"

    @Test(arguments: ["/photo", "/form", "/form/parts"])
    func `Uploads that aren't complete have a bound, and go with their clients`(target: String) async throws {
        try await withFolder { folder in
            let budget = UploadBudget(bytes: 100_000)
            try await withServer(makeRouter(folder, budget).handler()) { address in
                let isForm = target != "/photo"
                let method = isForm ? "POST" : "PUT"
                let head =
                    "\(method) \(target) HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                func begin(_ size: Int) async throws -> RawClient {
                    let client = try await RawClient.connect(to: address)
                    let text = (isForm ? Self.formHead : "") + String(repeating: "x", count: size)
                    try await client.send("\(head)Content-Length: 900000\r\n\r\n\(text)")
                    return client
                }
                func upload(_ size: Int) async throws -> ReceivedResponse {
                    let client = try await RawClient.connect(to: address)
                    let end = isForm ? "\r\n--b--" : ""
                    let text = (isForm ? Self.formHead : "") + String(repeating: "x", count: size) + end
                    try await client.send("\(head)Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
                    return try await client.receive(responseTo: method)
                }
                #expect(try await upload(60_000).status == 200)
                // Two clients that never finish.
                let clients = [try await begin(30_000), try await begin(30_000)]
                try await expectBytes(59_900...60_000, in: folder)
                let refused = try await upload(60_000)
                #expect(refused.status == 503)
                #expect(refused[values: "Retry-After"] == ["10"])
                #expect(try await upload(30_000).status == 200)
                try await expectBytes(59_900...60_000, in: folder)
                await clients[0].reset()
                await clients[1].close()
                try await expectBytes(0...0, in: folder)
                #expect(try await upload(60_000).status == 200)
                #expect(try await upload(100_001).status == 413)
            }
        }
    }

    @Test func `An upload over HTTP/2 goes with its stream or its connection`() async throws {
        try await withFolder { folder in
            try await withServer(makeRouter(folder, UploadBudget(bytes: 100_000)).handler()) { address in
                let piece = [UInt8](repeating: 7, count: 10_000)
                // DATA of stream 1 (RFC 9113, section 6.1), and its RST_STREAM with CANCEL (section 6.4).
                let data: [UInt8] = [0, UInt8(piece.count >> 8), UInt8(piece.count & 255), 0, 0, 0, 0, 0, 1] + piece
                let reset: [UInt8] = [0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8]
                for end in [reset, []] {
                    let client = try await RawClient.connect(to: address)
                    try await client.send(HTTP2Request(method: "PUT", "/photo", isWhole: false).wire + data + data)
                    try await expectBytes(20_000...20_000, in: folder)
                    if end.isEmpty { await client.close() } else { try await client.send(end) }
                    try await expectBytes(0...0, in: folder)
                    await client.close()
                }
            }
        }
    }

    /// Waits until the incomplete files of a folder have so many bytes.
    private func expectBytes(_ range: ClosedRange<Int>, in folder: String) async throws {
        let end = ContinuousClock.now + .seconds(20)
        var found = -1
        repeat {
            let names = try contents(folder).filter { $0.hasSuffix(".part") || $0.hasSuffix(".upload") }
            found = names.reduce(0) { sum, name in
                // It may be gone already.
                return sum + ((try? OpenFile("\(folder)/\(name)").size) ?? 0)
            }
            if !range.contains(found) { try await Task.sleep(for: .milliseconds(5)) }
        } while !range.contains(found) && ContinuousClock.now < end
        #expect(range.contains(found))
    }
}
