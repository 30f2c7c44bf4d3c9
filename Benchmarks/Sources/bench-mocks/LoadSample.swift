import Applin
import Backlot
import BacklotMocks
import Foundation
import Logging

/// How long it takes to read many route files, and then to find one.
struct LoadSample {
    private static let requests = 200_000

    let files: Int
    let milliseconds: Double
    let nanosecondsPerRequest: Double

    init(files: Int) throws {
        self.files = files
        let folder = try MockFolder()
        defer { folder.remove() }
        // Of each ten, one has a parameter, one is YAML, and the others are pages.
        for number in 0..<files {
            switch number % 10 {
            case 0:
                try FileManager.default.createDirectory(
                    atPath: "\(folder.path)/things\(number)",
                    withIntermediateDirectories: true
                )
                try folder.write(#"{"id":"{{path.id}}"}"#, to: "things\(number)/[id].get.json")
            case 1: try folder.write(MockPage.text, to: "page\(number).page.yaml")
            default: try folder.write(Self.page, to: "page\(number).page.json")
            }
        }
        // The sample has dead links. Warnings about them would stand between the results.
        let logger = LogOutput.standardError.logger(label: "bench-mocks", level: .error)
        let backend = MockBackend(MockConfiguration(formats: [.applin()]), logger: logger)
        let began = ContinuousClock.now
        try RouteFiles(folder.path, backend: backend).load()
        milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
        let router = Router()
        router.mocks(backend)
        let handler = router.handler()
        // Half with a parameter, half without; the fastest of many rounds counts.
        let last = files - 10
        let targets = try ["/page\(last + 2)", "/things\(last)/7"].map { try Request(.get, $0) }
        var best = Double.infinity
        for _ in 0..<20 {
            let start = ContinuousClock.now
            for index in 0..<(Self.requests / 20) {
                guard case .ready(let response) = try handler.respond(to: targets[index % 2]),
                    response.status.code == 200
                else {
                    fatalError("no mock answered at once")
                }
            }
            best = min(best, (ContinuousClock.now - start) / .nanoseconds(Self.requests / 20))
        }
        nanosecondsPerRequest = best
    }

    private static let page = #"""
        {"page":{"typ":"nav_page","title":"New Account","widget":{"typ":"scroll","widget":{"typ":"form","widgets":[
        {"typ":"textfield","label":"Username","var_name":"username"},
        {"typ":"checkbox","text":"I agree with {{query.what}}","var_name":"agree"},
        {"typ":"form_button","text":"Create Account","actions":["rpc:/create_account","replace_all:/"]}]}}}}
        """#

    /// The line that it prints.
    var line: String {
        "{\"files\":\(files),\"milliseconds\":\(milliseconds),\"ns_per_request\":\(nanosecondsPerRequest)}"
    }
}
