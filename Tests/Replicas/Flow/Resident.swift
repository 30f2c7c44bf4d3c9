import BacklotTesting

/// Somebody who logs in once, and counts for as long as there are visitors: no step may be lost, and none counted twice.
struct Resident {
    let url: String

    func stay(until ending: Ending) async throws {
        let app = try ApplinClient(url: url)
        try await app.launch()
        try await app.logIn(as: "resident")
        try await app.tap("Count in the session")
        var number = 0
        while !ending.isDue {
            number += 1
            try await app.count(to: number, as: "resident")
            if number.isMultiple(of: 20) { try await app.relaunch() }
        }
        try app.checkResponses(for: "resident")
    }
}
