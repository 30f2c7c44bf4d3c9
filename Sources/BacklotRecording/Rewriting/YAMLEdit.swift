import Backlot
import BacklotMocks

/// Changes keys of one mapping in a YAML text, and leaves the rest of the text unchanged.
struct YAMLEdit {
    private var lines: [Substring]
    private let document: YAMLDocument

    init(_ text: String, _ document: YAMLDocument) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.document = document
    }

    /// The text with other values.
    ///
    /// - Parameters:
    ///   - path: the path of the mapping.
    ///   - object: the current mapping.
    ///   - changes: the new values; nil removes a key. New keys are inserted before `anchor`.
    /// - Returns: nil if the mapping isn't written in lines.
    func changing(
        _ path: [StubError.Step],
        of object: JSONObject,
        _ changes: [(key: String, value: JSONValue?)],
        before anchor: String
    ) -> String? {
        guard var last = region(of: anchor, path) else { return nil }
        var lines = lines
        var text: [Substring] = []
        var regions: [(range: Range<Int>, text: [Substring])] = []
        for change in changes {
            let new = change.value.map { Self.lines(change.key, $0, indent: last.indent) } ?? []
            if change.key == anchor || object[change.key] == nil {
                text += new
            } else {
                guard let region = region(of: change.key, path) else { return nil }
                // A key after a dash can't be removed without the dash.
                guard !region.isFirst else { return nil }
                regions.append((region.lines, new))
            }
        }
        if !changes.contains(where: { $0.key == anchor }) {
            text += lines[last.lines].map { $0.dropFirst(last.isFirst ? last.indent : 0) }
        }
        if last.isFirst, !text.isEmpty {
            text[0] = lines[last.lines.lowerBound].prefix(last.indent) + text[0].drop { $0 == " " }
        }
        last.isFirst = false
        regions.append((last.lines, text))
        for region in regions.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            lines.replaceSubrange(region.range, with: region.text)
        }
        return lines.joined(separator: "\n")
    }

    private static func lines(_ key: String, _ value: JSONValue, indent: Int) -> [Substring] {
        let text = YAMLText.of(.object([key: value]))
        return text.split(separator: "\n").map { Substring(String(repeating: " ", count: indent) + $0) }
    }

    /// The lines of a key and its value, without trailing comments and blank lines.
    private func region(of key: String, _ path: [StubError.Step]) -> (lines: Range<Int>, indent: Int, isFirst: Bool)? {
        let place = document.position(of: path + [.key(key)], key: true)
        let first = place.line - 1
        guard lines.indices.contains(first), lines[first].dropFirst(place.column - 1).hasPrefix(key) else { return nil }
        let indent = place.column - 1
        let before = lines[first].prefix(indent)
        guard before.allSatisfy({ $0 == " " || $0 == "-" }) else { return nil }
        var end = first + 1
        for index in lines.indices.dropFirst(first + 1) {
            let line = lines[index]
            let own = line.prefix { $0 == " " }.count
            if line.allSatisfy({ $0 == " " || $0 == "\r" }) { continue }
            // A list may be at the same indentation as its key.
            guard own > indent || own == indent && line.dropFirst(own).hasPrefix("- ") && !before.contains("-") else {
                break
            }
            end = index + 1
        }
        return (first..<end, indent, before.contains("-"))
    }
}
