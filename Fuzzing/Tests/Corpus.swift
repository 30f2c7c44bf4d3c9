import FoundationEssentials

/// The seeds and dictionaries of the fuzz targets.
enum Corpus {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// What a target's runs begin with.
    static func seeds(of target: String) throws -> [[UInt8]] {
        let folder = folder.appending(path: "Seeds/\(target)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            Array(try Data(contentsOf: folder.appending(path: $0)))
        }
    }

    /// What means something to a target: the strings of libFuzzer's format, one a line.
    static func dictionary(of target: String) throws -> [[UInt8]] {
        let data = try Data(contentsOf: folder.appending(path: "Dictionaries/\(target).dict"))
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let first = line.firstIndex(of: "\""), let last = line.lastIndex(of: "\""), first < last else {
                return nil
            }
            return unescaped(line[line.index(after: first)..<last])
        }
    }

    /// `\\`, `\"` and `\xAB`.
    private static func unescaped(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            guard escaped == UInt8(ascii: "x") else {
                bytes.append(escaped)
                continue
            }
            bytes.append(UInt8(String(rest.prefix(2)) ?? "", radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
