import Backlot
import BacklotTesting
import Foundation
import GardenPages
import Testing

@testable import garden

@Suite(.timeLimit(.minutes(5))) struct GardenTests {
    private let router = Router()
    private let plots: Plots
    private let photos = FileManager.default.temporaryDirectory.appending(path: "garden-\(UUID())").path

    init() async throws {
        plots = try Plots(path: nil)
        _ = try await plots.add(NewPlot(name: "North", size: 20, soil: .clay))
        try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
        await Garden.register(on: router, plots, photos: photos, password: "sunflowers")
    }

    @Test func `Every page is as clients want it`() async {
        let report = await router.check()
        #expect(!report.hasErrors, "\(report)")
    }

    @Test(arguments: ClientReach.allCases)  // in process, and over a socket
    func `A new plot is added and taken`(reach: ClientReach) async throws {
        try await withApplinClient(router, over: reach) { app in
            try await app.launch()
            try await app.tap("New Plot")
            try await app.enter("ab", into: "Name")
            try await app.enter("big", into: "Square meters")
            try await app.enter("clay", into: "Soil: sand, clay or loam")
            try await app.tap("Add")
            try await app.back()
            #expect(app.errors == ["Use 3 characters or more.", "Must be a number."])
            try await app.enter("South", into: "Name")
            try await app.enter("12.5", into: "Square meters")
            try await app.tap("Add")
            try await app.tap("South")
            try await app.tap("Take It")
            #expect(app.stack == ["/"])
            #expect(await plots.plot(2)?.gardener == "me")
        }
    }

    @Test(arguments: ClientReach.allCases) func `Programs use the API`(reach: ClientReach) async throws {
        try await withHTTPClient(router, over: reach) { client in
            let created = try await client.post("/api/plots", json: NewPlot(name: "South", size: 9, soil: .sand))
            #expect(created.status == .created && created.headers[.location] == "/api/plots/2")
            #expect(try await client.get("/api/plots?soil=sand").json(as: [Plot].self).map(\.name) == ["South"])
            #expect(try await client.get("/api/plots/7").status == .notFound)
            let wrong = try await client.post("/api/plots", json: ["name": "West", "size": "9"])
            #expect(wrong.status == .badRequest && wrong.mediaType == "application/problem+json")
            #expect(wrong.text.contains("#/size"))
            let ann: HTTPFields = [.authorization: "Bearer ann"]
            #expect(try await client.send(.put, "/api/mine/plots/2").status == .unauthorized)
            let taken = try await client.send(.put, "/api/mine/plots/2", headers: ann)
            #expect(try taken.json(as: Plot.self).gardener == "ann")
            #expect(try await client.send(.put, "/api/mine/plots/2", headers: ann).status == .conflict)
        }
    }

    @Test(arguments: ClientReach.allCases) func `Changes are events`(reach: ClientReach) async throws {
        try await withHTTPClient(router, over: reach) { client in
            let changes = try await client.stream("/api/changes")
            async let created = client.post("/api/plots", json: NewPlot(name: "East", size: 3, soil: .loam))
            for try await text in changes where text.contains("East") { break }
            #expect(try await created.status == .created)
        }
    }

    @Test func `The office removes plots, and others don't`() async throws {
        try await withHTTPClient(router) { client in
            #expect(try await client.send(.delete, "/office/plots/1").status == .unauthorized)
            let office = BasicCredentials(user: "office", password: "sunflowers").field
            let removed = try await client.send(.delete, "/office/plots/1", headers: [.authorization: office])
            #expect(removed.status == .noContent)
        }
        #expect(await plots.list() == [])
    }

    @Test func `A photo gets a name that its sender didn't choose`() async throws {
        let text =
            "--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"../a.jpg\"\r\n\r\nJPEG\r\n--x--\r\n"
        try await withHTTPClient(router) { client in
            let saved = try await client.send(
                .post,
                "/api/mine/photos",
                headers: [.authorization: "Bearer ann", .contentType: "multipart/form-data; boundary=x"],
                body: Array(text.utf8)
            )
            let name = try saved.json(as: [String: String].self)["name"] ?? ""
            #expect(FileManager.default.contents(atPath: "\(photos)/\(name)") == Data("JPEG".utf8))
        }
    }

    @Test func `The API is described`() {
        let document = router.openAPI(title: "Garden", version: "1")
        #expect(document.gaps == [])
        let paths = ["/hits", "/api/plots", "/api/plots/{id}", "/api/mine/plots/{id}", "/api/mine/photos"]
        #expect(document.json["paths"]?.object?.keys == paths)
    }
}
