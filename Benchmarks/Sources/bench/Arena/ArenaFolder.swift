import Foundation

/// The folder of data that an entry to HttpArena finds: items for its JSON profile, and files for its static one.
struct ArenaFolder {
    static let itemCount = 50

    /// Where it is.
    let folder: URL

    /// Makes it.
    init(in workspace: Workspace) throws {
        folder = workspace.folder.appendingPathComponent("arena-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("static"),
            withIntermediateDirectories: true
        )
        try JSONEncoder().encode(Self.items).write(to: folder.appendingPathComponent("dataset.json"))
        for (name, size) in Self.files.map({ ($0.key, $0.value.size) }) {
            let line = "/* \(name) is a file of the static profile. */\n"
            try write(String(repeating: line, count: size / line.utf8.count), to: name)
        }
    }

    /// The static files: their sizes, and the types that answers name.
    static let files: [String: (size: Int, type: String)] = [
        "app.js": (200_000, "text/javascript"), "bold.woff2": (20_000, "font/woff2"),
        "header.html": (55_000, "text/html"), "logo.svg": (15_000, "image/svg+xml"),
        "manifest.json": (3_000, "application/json"), "reset.css": (8_000, "text/css"),
    ]

    /// Replaces a static file.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: file(name))
    }

    func file(_ name: String) -> URL { folder.appendingPathComponent("static/\(name)") }

    struct Item: Codable, Equatable {
        struct Rating: Codable, Equatable {
            var score: Int
            var count: Int
        }

        var id: Int
        var name: String
        var category: String
        var price: Int
        var quantity: Int
        var active: Bool
        var tags: [String]
        var rating: Rating
        var total: Int?
    }

    /// The items, all different.
    static let items = (1...itemCount).map { id in
        Item(
            id: id,
            name: "Item \"\(id)\"",
            category: ["tools", "bücher", "toys"][id % 3],
            price: 100 + id * 37 % 400,
            quantity: 1 + id * 11 % 50,
            active: id % 4 != 0,
            tags: (0..<(id % 4)).map { "tag \($0)" },
            rating: Item.Rating(score: id % 51, count: id * 7)
        )
    }
}
