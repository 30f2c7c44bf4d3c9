import HTTPTypes

/// A folder of mocks with requests, as an input describes it.
///
///     # FILE classes.crud.yaml
///     rows: [{id: 1}]
///     # REQUEST PUT /classes/1
///     Accept: application/json
///
///     {"id": 1}
///
/// A line `# SHARED` lets all clients share their states.
struct MockScript {
    /// A request, as often as it is sent.
    struct Call {
        var method: String
        var target: String
        var headers = HTTPFields()
        var body: [UInt8] = []

        var isCommand: Bool { target.hasPrefix("/__admin") }
    }

    private static let (mostFiles, mostCalls) = (12, 8)

    private(set) var files: [(name: String, bytes: [UInt8])] = []
    private(set) var calls: [Call] = []
    private(set) var sharesState = false

    init(_ input: [UInt8]) {
        var sections: [(title: String, lines: [ArraySlice<UInt8>])] = []
        for line in input.split(separator: 10, omittingEmptySubsequences: false) {
            let isTitle = ["# FILE ", "# REQUEST ", "# SHARED"].contains { line.starts(with: $0.utf8) }
            if isTitle {
                sections.append((String(decoding: line.dropFirst(2), as: UTF8.self), []))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
        for (title, lines) in sections {
            let words = title.split(separator: " ", maxSplits: 1).map(String.init)
            switch words[0] {
            case "FILE" where words.count == 2 && files.count < Self.mostFiles && Self.isName(words[1]):
                files.append((words[1], Array(lines.joined(separator: [10]))))
            case "REQUEST" where words.count == 2 && calls.count < Self.mostCalls:
                if let call = Call(words[1], lines[...]) { calls.append(call) }
            case "SHARED": sharesState = true
            default: break
            }
        }
    }

    /// Whether it names a file in the folder.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count < 8
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count < 200 && !$0.contains("\0") }
    }
}

extension MockScript.Call {
    fileprivate init?(_ title: String, _ lines: ArraySlice<ArraySlice<UInt8>>) {
        let words = title.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        self.init(method: words[0], target: words[1])
        var lines = lines
        while let line = lines.popFirst(), !line.isEmpty {
            let pair = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1).map {
                $0.drop { $0 == " " }
            }
            guard pair.count == 2, let name = HTTPField.Name(String(pair[0])), HTTPField.isValidValue(String(pair[1]))
            else {
                continue
            }
            headers.append(HTTPField(name: name, value: String(pair[1])))
        }
        body = Array(lines.joined(separator: [10]))
    }

    /// Requests that differ from this one in one point.
    var nearMisses: [Self] {
        let path = String(target.prefix { $0 != "?" })
        let query = target.dropFirst(path.count)
        var others = Array(repeating: self, count: 6)
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        others[0].target = (parent.isEmpty ? "/" : parent) + query
        others[1].target = path + "/x" + query
        others[2].method = method == "GET" ? "POST" : "GET"
        others[3].target = query.isEmpty ? "\(path)?x=1" : path
        others[4].target =
            path.utf8.map { $0 == 47 || $0 > 127 || $0 == 37 ? spelled([$0]) : Self.encoded($0) }.joined() + query
        others[5].body = []
        return others
    }

    private static func encoded(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count == 1 ? "0" : "") + digits
    }
}
