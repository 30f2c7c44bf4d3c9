/// The name of a page's folder of pictures, made of its path.
enum PictureName {
    private static let longest = 100

    /// `/objects/new_account` becomes `objects/new_account`, and `/` becomes `index`. No path leads out of the folder.
    static func folder(of path: some StringProtocol) -> String {
        let segments = path.split(separator: "/").map { segment in
            let safe = segment.prefix(longest).map { isSafe($0) ? $0 : "_" }
            return safe.allSatisfy { $0 == "." } ? String(repeating: "_", count: safe.count) : String(safe)
        }
        let folder = segments.joined(separator: "/")
        // A page and the folder of others may have one name: `/a` and `/a/`.
        return path.hasSuffix("/") ? folder + (folder.isEmpty ? "index" : "/index") : folder
    }

    private static func isSafe(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "._-~".contains(character))
    }
}
