package import Backlot

/// The lines of a response's parts in its file.
package struct RouteFileLines {
    private let source: SourceText
    /// The possible ways to its document.
    private let ways: [[StubError.Step]]

    /// - Parameter id: the response's stub; nil for the response of an app, which is the whole file.
    /// - Returns: nil for a file that can't be read.
    package init?(of id: StubID?, in file: String, _ backend: MockBackend) {
        guard let bytes = try? backend.routesFolder?.read(file) else { return nil }
        guard var source = try? SourceText(bytes, of: file) else { return nil }
        source.isBarePage =
            file.hasSuffix(".json") ? false : backend.configuration.pages?.isBarePage(source.value) == true
        self.source = source
        guard let id, !file.hasSuffix(".json") else {
            ways = [[]]
            return
        }
        guard let way = id.steps(in: source.value, file) else { return nil }
        ways = [way, way + [.key("response")]].flatMap { [$0 + [.key("jsonBody")], $0] }
    }

    /// The line of a part, or of the nearest part around it; nil if the file doesn't contain the document.
    ///
    /// - Parameter pointer: the part's place in the mock's response, by RFC 6901.
    package func line(of pointer: String) -> Int? {
        let names = JSONPointer.steps(of: pointer)
        guard let first = names.first else { return nil }
        for way in ways {
            var path = way
            var value = source.value.value(at: way)
            var isThere = false
            for name in names {
                if source.isBarePage, path.isEmpty, name == "page" {
                    (path, isThere) = ([.key(name)], true)
                    continue
                }
                let index = value?.array.flatMap { _ in Int(name) }
                guard let next = index.map({ value?[$0] }) ?? value?[name] else { break }
                path.append(index.map { .index($0) } ?? .key(name))
                (value, isThere) = (next, isThere || name == first)
            }
            if isThere { return source.position(of: path, key: path.last?.isKey == true).line }
        }
        return nil
    }
}

extension StubError.Step {
    fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}

extension StubID {
    /// The way to a stub in the contents of its file; nil if the file lacks it.
    package func steps(in form: JSONValue, _ file: String) -> [StubError.Step]? {
        let count = form["responses"]?.array?.count ?? 1
        guard let index = (0..<count).first(where: { StubID(name: "\(file)#\($0)") == self }) else { return nil }
        return form["responses"] == nil ? [] : [.key("responses"), .index(index)]
    }
}
