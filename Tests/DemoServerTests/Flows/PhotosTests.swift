import Backlot
import FoundationEssentials
import TestSupport
import Testing

@testable import demo_server

struct PhotosTests {
    /// Bytes that begin as a JPEG picture does.
    private func picture(_ size: Int = 1000) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: size - 4)
    }

    private func upload(
        _ client: DemoClient,
        _ body: [UInt8],
        to path: String = "/photos/add"
    ) async throws
        -> DemoClient.Answer
    {
        try await client.send(.put, path, headers: [.contentType: "image/jpeg"], body: body)
    }

    @Test(arguments: DemoMount.all)
    func `A photo is sent, shown, and kept by the client`(mount: DemoMount) async throws {
        let stores = DemoStores()
        let client = DemoClient(mount, stores: stores)
        #expect(try await client.page("/photos").strings("text").contains("There are none."))
        let answer = try await upload(client, picture())
        #expect(answer.status == 200)
        #expect(answer.body == [])

        let url = try #require(try await client.page("/photos").strings("url").first { $0.contains("-") })
        #expect(url.hasPrefix(mount.url("/photos/")))
        let image = try await client.send(.get, fromRoot: url)
        #expect(image.body == picture())
        #expect(image.headers[.contentType] == "image/jpeg")
        #expect(image.headers[.cacheControl] == "private, max-age=86400, immutable")
        let tag = try #require(image.headers[.eTag])
        let date = try #require(image.headers[.lastModified])
        #expect(date.hasSuffix(" GMT"))

        let conditions: [HTTPFields] = [
            [.ifNoneMatch: tag], [.ifNoneMatch: "\"other\", W/\(tag)"], [.ifModifiedSince: date],
        ]
        for condition in conditions {
            let known = try await client.send(.get, fromRoot: url, headers: condition)
            #expect(known.status == 304)
            #expect(known.body == [])
            #expect(known.headers[.eTag] == tag)
        }
        let changed = try await client.send(.get, fromRoot: url, headers: [.ifNoneMatch: "\"other\""])
        #expect(changed.status == 200)

        #expect(try await client.post("/photos/remove").status == 200)
        #expect(try await client.send(.get, fromRoot: url).status == 404)
        #expect(try await client.page("/photos").strings("text").contains("There are none."))
    }

    @Test(arguments: DemoMount.all)
    func `A place may refuse photos before they are sent`(mount: DemoMount) async throws {
        let stores = DemoStores()
        let answer = try await upload(DemoClient(mount, stores: stores), picture(), to: "/photos/forbidden")
        #expect(answer.status == 403)
        #expect(answer.text == "No photos, please. (This place refuses them all, before they are sent.)")
        #expect(await stores.photos.photos.isEmpty)
    }

    @Test(arguments: DemoMount.all)
    func `A photo that is too large, or none, leaves nothing`(mount: DemoMount) async throws {
        let stores = DemoStores()
        let client = DemoClient(mount, stores: stores)
        #expect(try await upload(client, picture(101), to: "/photos/tiny").status == 413)
        #expect(try await upload(client, picture(PhotoAlbum.maximumBytes + 1)).status == 413)
        let answer = try await upload(client, Array("GIF89a".utf8))
        #expect(answer.status == 422)
        #expect(answer.text == "Please send a JPEG picture.")
        #expect(try await upload(client, []).status == 422)
        #expect(await stores.photos.photos.isEmpty)
        let folder = await stores.photos.folder
        #expect(try FileManager.default.contentsOfDirectory(atPath: #require(folder)) == [])
        await stores.photos.removeAll()
    }

    @Test(arguments: DemoMount.all)
    func `A photo that is cut short leaves no file`(mount: DemoMount) async throws {
        let stores = DemoStores()
        try await withServer(DemoClient.server(stores)) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send("PUT \(mount.path)photos/add HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n")
            try await client.send(picture())
            await client.shutdownSending()
            _ = try await client.receiveToEnd()
        }
        #expect(await stores.photos.photos.isEmpty)
        let folder = try #require(await stores.photos.folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        await stores.photos.removeAll()
    }

    @Test(arguments: DemoMount.all)
    func `A client that asks first is refused before it sends`(mount: DemoMount) async throws {
        try await withServer(DemoClient.server()) { address in
            let client = try await RawClient.connect(to: address)
            let head = "Host: h\r\nContent-Type: image/jpeg\r\nContent-Length: 2000\r\nExpect: 100-continue\r\n\r\n"
            try await client.send("PUT \(mount.path)photos/forbidden HTTP/1.1\r\n\(head)")
            #expect(try await client.receive(answerTo: "PUT").status == 403)
        }
    }

    @Test func `The newest photos are kept, and their folder goes with them`() async throws {
        let stores = DemoStores()
        let client = DemoClient(.objects, stores: stores)
        for number in 0..<PhotoAlbum.maximumCount + 3 {
            #expect(try await upload(client, picture(100 + number)).status == 200)
        }
        let sizes = await stores.photos.photos.map(\.size)
        #expect(sizes == (3..<PhotoAlbum.maximumCount + 3).map { 100 + $0 }.reversed())
        let folder = try #require(await stores.photos.folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == PhotoAlbum.maximumCount)
        await stores.photos.removeAll()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
