import BacklotJSON

/// The pictures of one run, and their differences from an earlier one.
struct PictureRun {
    private static let differences = "differences"

    private let folder: URL
    private let earlier: URL?
    private var taken: Set<String> = []
    private var (problems, new, changed, gone) = (0, 0, 0, 0)

    init(into folder: String, compare earlier: String?) {
        self.folder = URL(filePath: folder)
        self.earlier = earlier.map { URL(filePath: $0) }
    }

    var isWell: Bool { problems + changed + gone == 0 && !taken.isEmpty }

    var summary: String {
        var parts = ["\(taken.count) pictures in \(folder.path)"]
        if earlier != nil { parts.append("\(changed) changed, \(new) new, \(gone) gone") }
        if problems > 0 { parts.append("\(problems) not taken") }
        return parts.joined(separator: "; ")
    }

    /// Reports why a picture is missing.
    mutating func fail(_ name: String, _ why: String) {
        problems += 1
        print("\(name): not taken: \(why)")
    }

    /// Takes a picture of the current page, and compares it with the earlier one.
    mutating func add(_ name: String, _ page: Chromium) throws {
        let picture = try page.picture()
        guard let bytes = Data(base64Encoded: picture), !bytes.isEmpty else {
            return fail(name, "Chromium gives no picture")
        }
        try write(bytes, to: folder, name)
        taken.insert(name)
        guard let earlier else { return }
        guard let before = try? Data(contentsOf: earlier.appending(path: name + ".png")) else {
            new += 1
            return print("\(name): new")
        }
        guard before != bytes else { return }
        let found: JSONValue
        do {
            found = try page.evaluate("compare(\"\(before.base64EncodedString())\", \"\(picture)\")")
        } catch {
            if Interruption.hasCome { throw error }
            return fail(name, "the earlier picture can't be read")
        }
        if found["size"] == nil, found["pixels"]?.number?.int64 == 0 { return }
        changed += 1
        if let size = found["size"]?.string { return print("\(name): another size: \(size)") }
        print("\(name): \(found["pixels"]?.number?.int64 ?? 0) of \(found["all"]?.number?.int64 ?? 0) pixels differ")
        if let data = found["difference"]?.string.flatMap({ Data(base64Encoded: $0) }) {
            try write(data, to: folder.appending(path: Self.differences), name)
        }
    }

    /// Finds the earlier pictures of pages below a path, on some devices or all, that this run didn't take again.
    mutating func findGone(below path: some StringProtocol, looks: Set<String>?) {
        let path = path.split(separator: "/").joined(separator: "/")
        let scope = path.isEmpty ? "" : Self.folder(of: path) + "/"
        let files = earlier.flatMap { try? FileManager.default.subpathsOfDirectory(atPath: $0.path) } ?? []
        for file in files.sorted() where file.hasSuffix(".png") && !file.hasPrefix(Self.differences + "/") {
            let name = String(file.dropLast(4))
            let look = name.split(separator: "/").last.map(String.init) ?? name
            guard name.hasPrefix(scope), looks?.contains(look) ?? true, !taken.contains(name) else { continue }
            gone += 1
            print("\(name): gone")
        }
    }

    private func write(_ data: Data, to folder: URL, _ name: String) throws {
        let file = folder.appending(path: name + ".png")
        do {
            let parent = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try data.write(to: file)
        } catch {
            throw DriverError("\(file.path) can't be written")
        }
    }

    /// The name of a page's folder: `/objects/new_account` becomes `objects/new_account`, and `/` becomes `index`. No path leads out
    /// of the run's folder.
    static func folder(of path: some StringProtocol) -> String {
        let segments = path.split(separator: "/").map { segment in
            let safe = segment.prefix(100).map {
                $0.isASCII && ($0.isLetter || $0.isNumber || "._-~".contains($0)) ? $0 : "_"
            }
            return safe.allSatisfy { $0 == "." } ? String(repeating: "_", count: safe.count) : String(safe)
        }
        let folder = segments.joined(separator: "/")
        // A page and the folder of other pages may have the same name: `/a` and `/a/`.
        return path.hasSuffix("/") ? folder + (folder.isEmpty ? "index" : "/index") : folder
    }
}
