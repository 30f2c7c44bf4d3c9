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
        return try String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let first = line.firstIndex(of: "\""), let last = line.lastIndex(of: "\""), first < last else {
                return nil
            }
            return try unescaped(line[line.index(after: first)..<last])
        }
    }

    /// `\\`, `\"` and `\xAB`: libFuzzer refuses a dictionary with any other escape.
    private static func unescaped(_ text: Substring) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            if escaped == UInt8(ascii: "\\") || escaped == UInt8(ascii: "\"") {
                bytes.append(escaped)
                continue
            }
            let digits = String(rest.prefix(2)) ?? ""
            guard escaped == UInt8(ascii: "x"), digits.count == 2, let byte = UInt8(digits, radix: 16) else {
                throw UnknownEscape(text: String(text))
            }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    private struct UnknownEscape: Error {
        let text: String
    }
}
