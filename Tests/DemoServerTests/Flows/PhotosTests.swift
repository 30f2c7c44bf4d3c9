import Backlot
import BacklotTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import demo_server

@Suite(.timeLimit(.minutes(5))) struct PhotosTests {
    /// Bytes that begin as a JPEG picture does.
    private func picture(_ size: Int = 1000) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: size - 4)
    }

    private func upload(
        _ client: DemoClient,
        _ body: [UInt8],
        to path: String = "/photos/add"
    ) async throws
        -> DemoClient.Response
    {
        try await client.send(.put, path, headers: [.contentType: "image/jpeg"], body: body)
    }

    @Test(arguments: DemoFlow.all)
    func `A photo is sent, shown, and kept by the client`(flow: DemoFlow) async throws {
        let stores = DemoStores()
        try await flow.run(stores) { app in
            try await app.launch()
            try await app.tap("Photos")
            #expect(app.texts.contains("There are none."))
            try await app.tap("Choose a photo")
            try await app.uploadPhoto(picture())

            let url = try #require(app.imageURLs.first)
            #expect(url.path.hasPrefix(flow.mount.url("/photos/")))
            let image = try await app.loadImage(url)
            #expect(image.body == picture())
            #expect(image.mediaType == "image/jpeg")
            #expect(image.headers[.cacheControl] == "private, max-age=86400, immutable")
            let tag = try #require(image.headers[.eTag])
            let date = try #require(image.headers[.lastModified])
            #expect(date.hasSuffix(" GMT"))

            let client = DemoClient(flow.mount, app)
            let conditions: [HTTPFields] = [
                [.ifNoneMatch: tag], [.ifNoneMatch: "\"other\", W/\(tag)"], [.ifModifiedSince: date],
            ]
            for condition in conditions {
                let known = try await client.send(.get, fromRoot: url.path, headers: condition).withStatus(304)
                #expect(known.body == [])
                #expect(known.headers[.eTag] == tag)
            }
            let changed = try await client.send(.get, fromRoot: url.path, headers: [.ifNoneMatch: "\"other\""])
            #expect(changed.status == 200)

            try await app.tap("Remove all")
            #expect(app.texts.contains("There are none."))
            #expect(try await app.loadImage(url).status == .notFound)
        }
    }

    private static let noPicture =
        "This picture can't be used here. Please choose one in the format JPEG."

    @Test(arguments: DemoFlow.all)
    func `A photo that isn't taken, or is refused, leaves nothing`(flow: DemoFlow) async throws {
        let stores = DemoStores()
        try await flow.run(stores) { app in
            try await app.launch(at: "/photos")
            try await app.tap("Take a photo")
            try await app.cancelPhoto()
            try await app.tap("Forbidden, before it is sent")
            try await app.uploadPhoto()
            #expect(app.errorText == "No photos, please. (This place refuses them all, before they are sent.)")
            try await app.back()
            try await app.tap("Too large")
            try await app.uploadPhoto()
            #expect(app.errorText == "This picture is too large. Please choose one of 100 bytes or less.")
            try await app.back()
            try await app.tap("Choose a photo, cut to a square")
            try await app.uploadPhoto(Array("GIF89a".utf8))
            #expect(app.errorText == Self.noPicture)
        }
        #expect(await stores.photos.photos.isEmpty)
    }

    @Test(arguments: DemoMount.all)
    func `A photo that is too large, or none, leaves nothing`(mount: DemoMount) async throws {
        let stores = DemoStores()
        let client = DemoClient(mount, stores: stores)
        #expect(try await upload(client, picture(101), to: "/photos/tiny").status == 422)
        #expect(try await upload(client, picture(PhotoAlbum.maximumBytes + 1)).status == 422)
        let response = try await upload(client, Array("GIF89a".utf8)).withStatus(422)
        #expect(response.text == Self.noPicture)
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
            #expect(try await client.receive(responseTo: "PUT").status == 403)
        }
    }

    @Test func `The newest photos are kept, and their folder goes with them`() async throws {
        let stores = DemoStores()
        let client = DemoClient(.objects, stores: stores)
        for number in 0..<PhotoAlbum.maximumCount + 3 {
            #expect(try await upload(client, picture(100 + number)).status == 200)
        }
        let sizes = await stores.photos.photos.map(\.file.size)
        #expect(sizes == (3..<PhotoAlbum.maximumCount + 3).map { 100 + $0 }.reversed())
        let folder = try #require(await stores.photos.folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == PhotoAlbum.maximumCount)
        await stores.photos.removeAll()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `A photo that is being sent outlasts the removal of all others`() async throws {
        let stores = DemoStores()
        let server = DemoClient.server(stores)
        try await stores.photos.add(RequestBody(picture(100)))
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        continuation.yield(picture())
        continuation.finish()
        // The album asks for a piece once it has begun a file for the photo.
        let body = pieces.map { piece -> [UInt8] in
            try await DemoClient(.objects, server).post("/photos/remove").withStatus(200)
            return piece
        }
        try await stores.photos.add(RequestBody(body, declaredLength: nil))
        let sizes = await stores.photos.photos.map(\.file.size)
        #expect(sizes == [1000])
        let folder = try #require(await stores.photos.folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        await stores.photos.removeAll()
    }

    @Test func `Only the beginning of a picture is read to see what it is`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(picture(), to: "large.jpg")
            // A terabyte without a block on the disk: no memory has room for it.
            try folder.truncate("large.jpg", to: 1 << 40)
            #expect(PhotoAlbum.isJPEG(file))
            #expect(!PhotoAlbum.isJPEG(try folder.write("GIF89a", to: "small.gif")))
            #expect(!PhotoAlbum.isJPEG(try folder.write("", to: "empty.jpg")))
            #expect(!PhotoAlbum.isJPEG("\(folder.path)/missing.jpg"))
        }
    }
}
