public import Backlot

/// Inspects the messages of a server, for check, judge and preview: a message, a list, an object with a list, or JSON lines.
///
/// It applies them as a client does, and judges the surfaces that result. A surface that the messages only update is taken as open, and
/// not judged as a whole.
public struct A2UIInspector: PageInspector {
    private let catalogs: [Catalog]

    /// Creates an inspector.
    ///
    /// - Parameter catalogs: the catalogs beside the basic ones.
    public init(catalogs: [Catalog] = []) { self.catalogs = catalogs }

    /// A short response, for advice.
    public var exampleResponse: String { #"[{"version":"v0.9","deleteSurface":{"surfaceId":"main"}}]"# }

    /// The findings of a body, which may have one message in each line or in each event of a stream.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do throws(JSONParseError) {
            return findings(in: try Self.document(body), path: path, app: app)
        } catch {
            let text = "The body can't be read as messages in JSON: \(error)."
            let fix = "Respond with \(exampleResponse)."
            return [Finding(.error, rule: "not-json", path: FindingPath(page: path), message: text, fix: fix)]
        }
    }

    /// The document of a body: JSON, or the messages of JSON lines or of a stream of events, as a list.
    package static func document(_ body: [UInt8]) throws(JSONParseError) -> JSONValue {
        do throws(JSONParseError) {
            return try JSONValue(parsing: body)
        } catch {
            var messages: [JSONValue] = []
            for line in body.split(separator: UInt8(ascii: "\n")) {
                var line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                if line.starts(with: "data:".utf8) { line = line.dropFirst(5) }
                let isField = ["id:", "event:", "retry:", ":"].contains { line.starts(with: $0.utf8) }
                guard !isField, line.contains(where: { $0 != UInt8(ascii: " ") }) else { continue }
                guard let message = try? JSONValue(parsing: Array(line)) else { throw error }
                messages.append(message)
            }
            guard !messages.isEmpty else { throw error }
            return .array(messages)
        }
    }

    /// The messages of a document with their pointers.
    static func messages(_ document: JSONValue) -> [(message: JSONValue, pointer: String)] {
        guard let list = document.array ?? document["messages"]?.array else { return [(document, "")] }
        let pointer = document.array == nil ? "/messages" : ""
        return list.enumerated().map { ($0.element, "\(pointer)/\($0.offset)") }
    }

    /// The findings of messages, first those of single messages, then those of the surfaces.
    public func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        let messages = Self.messages(document)
        let tree = A2UIVocabulary.tree(of: document)
        var run = SurfaceRules(catalogs)
        for (index, message) in messages.enumerated() { run.apply(message.message, index) }
        run.judge()
        let paths = run.remarks.isEmpty ? [] : tree.nodes.map { tree.path(to: $0, page: "") }
        let places = Dictionary(paths.map { ($0.pointer, $0.steps) }) { first, _ in first }
        return run.remarks.map { remark in
            let pointer = remark.index.map { messages[$0].pointer + remark.pointer } ?? ""
            return Finding(
                remark.severity,
                rule: remark.rule.replacing("_", with: "-").lowercased(),
                path: FindingPath(page: path, steps: places.steps(around: pointer[...]), pointer: pointer),
                message: remark.message,
                fix: remark.fix
            )
        }
    }
}

extension A2UIVocabulary {
    /// The tree of a document, even of one that clients refuse.
    package static func tree(of document: JSONValue) -> DocumentTree {
        let version = A2UIInspector.messages(document).first?.message["version"]?.string
        var reader = DocumentReader(all, for: audience(of: version.flatMap(ProtocolVersion.init(loosely:)) ?? .v0_9))
        reader.read(document, as: document["version"] == nil ? response : message)
        return reader.tree
    }
}

extension [String: [String]] {
    /// The steps to the innermost object around a pointer.
    fileprivate func steps(around pointer: Substring) -> [String] {
        if let steps = self[String(pointer)] { return steps }
        return pointer.utf8.lastIndex(of: UInt8(ascii: "/")).map { steps(around: pointer[..<$0]) } ?? []
    }
}
