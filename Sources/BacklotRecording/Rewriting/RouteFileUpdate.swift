import Backlot
package import BacklotMocks

/// Replaces the responses in route files, and keeps their other contents: matchers, states, comments.
package struct RouteFileUpdate {
    private let backend: MockBackend
    private let folder: RoutesFolder
    private var changed: [String: [UInt8]] = [:]

    /// The files with their new contents, by path.
    package var files: [RecordedFile] {
        changed.sorted { $0.key < $1.key }.map { RecordedFile(path: $0.key, bytes: $0.value) }
    }

    /// - Returns: nil for mocks that don't come from a folder.
    package init?(_ backend: MockBackend) {
        guard let folder = backend.routesFolder else { return nil }
        self.backend = backend
        self.folder = folder
    }

    /// Replaces the response of a stub.
    ///
    /// - Parameter exchange: the exchange with the backend, without secrets.
    package mutating func replace(_ id: StubID, with exchange: RecordedExchange) throws(MessageError) {
        guard let stub = backend.stubs.stub(id), case .file(let file, _) = stub.source else {
            throw MessageError("it stands in no file")
        }
        guard !file.hasPrefix("mappings/") else {
            throw MessageError("files below mappings/ are WireMock's: change it by hand")
        }
        guard !stub.hasRows else { throw MessageError("it is made of rows that stand in a data file") }
        guard !stub.response.bodyHasTags else {
            throw MessageError("its body has tags, which a response can't replace: change it by hand")
        }
        guard !stub.response.fileNameHasTags else {
            throw MessageError("the name of its body's file has tags: change it by hand")
        }
        let known = changed[file]
        let bytes = try mapErrors({ MessageError("its file \($0)") }) { try known ?? folder.read(file) }
        guard let name = try? RouteFileName(file) else { throw MessageError("its file holds no route") }
        if let shared = stub.json["response"]?["bodyFileName"]?.string {
            return try replaceBodyFile(shared, stub, exchange)
        }
        let pages = backend.configuration.pages
        let replacement = Replacement(old: bytes, name: name, stub: stub, exchange: exchange, pages: pages)
        let new = try replacement.bytes()
        try validate(new, name)
        changed[file] = new
    }

    private func validate(_ bytes: [UInt8], _ name: RouteFileName) throws(MessageError) {
        guard let problem = backend.problem(in: bytes, of: name, in: folder) else { return }
        throw MessageError("mocks would reject the backend's response: \(problem.text)")
    }

    private mutating func replaceBodyFile(
        _ shared: String,
        _ stub: Stub,
        _ exchange: RecordedExchange
    ) throws(MessageError) {
        let others = backend.stubs.all.contains { other in
            other.id != stub.id && other.json["response"]?["bodyFileName"]?.string == shared
        }
        guard !others else { throw MessageError("other responses use the file of its body, __files/\(shared), too") }
        guard exchange.status == Int(stub.response.status.code) else {
            throw MessageError(
                "its body is in a separate file, and the status is different: change it by hand"
            )
        }
        try Replacement.refuseTags(in: String(decoding: exchange.responseBody, as: UTF8.self))
        changed["__files/\(shared)"] = exchange.responseBody
    }
}

/// A replacement for a response in a file.
private struct Replacement {
    let old: [UInt8]
    let name: RouteFileName
    let stub: Stub
    let exchange: RecordedExchange
    let pages: PageFormat?

    /// The file's new contents.
    func bytes() throws(MessageError) -> [UInt8] {
        switch name.format {
        case .json: return try bareJSON()
        case .yaml: return try yaml()
        case .other:
            try refuseStatus()
            return exchange.responseBody
        }
    }

    private func refuseStatus() throws(MessageError) {
        guard exchange.status != 200 else { return }
        let advice = "write the response in a file that ends in .yaml"
        throw MessageError("its file contains only a body, and the status is different: \(advice)")
    }

    static func refuseTags(in text: String) throws(MessageError) {
        guard Template.hasTags(text) else { return }
        let reason = "the backend's response contains {{, which mocks would take for a tag: change it by hand"
        throw MessageError(reason)
    }

    private func bareJSON() throws(MessageError) -> [UInt8] {
        try refuseStatus()
        guard let former = try? JSONValue(parsing: SourceText.withoutMark(old)),
            var new = try? JSONValue(parsing: exchange.responseBody)
        else { throw MessageError("the backend's response isn't JSON, as the file's name says") }
        try Self.refuseTags(in: new.description)
        if let pages, name.kind == .page, former[pages.envelope] == nil,
            new.object?.count == 1, let page = new[pages.envelope]
        {
            new = page
        }
        guard let schema = former["$schema"], let object = new.object else { return exchange.bytes(of: new, like: old) }
        var members: JSONObject = ["$schema": schema]
        for member in object.members { members[member.key] = member.value }
        return exchange.bytes(of: .object(members), like: old)
    }

    // MARK: YAML

    private func yaml() throws(MessageError) -> [UInt8] {
        let text = String(decoding: SourceText.withoutMark(old), as: UTF8.self)
        guard let document = try? YAMLDocument(text, file: name.file) else {
            throw MessageError("its file is broken")
        }
        if name.kind == .page, let pages, pages.isBarePage(document.value) {
            try refuseStatus()
            guard let page = (try? JSONValue(parsing: exchange.responseBody))?[pages.envelope] else {
                throw MessageError("the backend's response isn't a page")
            }
            try Self.refuseTags(in: page.description)
            return Array((Self.header(of: text) + YAMLText.of(page)).utf8)
        }
        let form = document.value.isNull ? JSONValue.object(JSONObject()) : document.value
        var path = stub.id.steps(in: form, name.file) ?? []
        if form.value(at: path)?["response"]?.object != nil { path.append(.key("response")) }
        guard stub.id.steps(in: form, name.file) != nil, let object = form.value(at: path)?.object else {
            throw MessageError("its place in the file isn't known")
        }
        let hasTags = form["template"] != false && object["template"] != false
        let changes = try changes(of: object, hasTags: hasTags)
        var expected = object
        for change in changes { expected[change.key] = change.value }
        let expectedDocument = form.changing(path[...]) { _ in .object(expected) } ?? form
        let keys = Self.bodyKeys.filter { object[$0] != nil }
        let anchor = keys.first ?? object.keys.first { $0 != "request" }
        let edited = anchor.flatMap { YAMLEdit(text, document).changing(path, of: object, changes, before: $0) }
        if let edited, let read = try? YAMLDocument(edited, file: name.file), read.value == expectedDocument {
            return Array(edited.utf8)
        }
        guard !text.dropFirst(Self.header(of: text).count).contains("#") else {
            throw MessageError("its comments would get lost: change it by hand")
        }
        return Array((Self.header(of: text) + YAMLText.of(expectedDocument)).utf8)
    }

    private static let bodyKeys = ["page", "jsonBody", "body", "base64Body"]

    /// The comments at the beginning of a file.
    private static func header(of text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.prefix { $0.hasPrefix("#") }.map { "\($0)\n" }.joined()
    }

    /// The changes to the keys of a response.
    private func changes(
        of object: JSONObject,
        hasTags: Bool
    ) throws(MessageError) -> [(key: String, value: JSONValue?)] {
        var changes: [(key: String, value: JSONValue?)] = []
        let status = object["status"]?.number?.int64 ?? 200
        if status != Int64(exchange.status) {
            changes.append(("status", exchange.status == 200 ? JSONValue?.none : JSONValue(exchange.status)))
        }
        let (body, usual) = try body()
        if hasTags, let body { try Self.refuseTags(in: body.value.description) }
        var headers = object["headers"]?.object ?? JSONObject()
        for key in headers.keys {
            guard let field = HTTPField.Name(key), field != .contentType else { continue }
            // Header fields that the backend no longer sends are removed.
            headers[key] =
                field == .setCookie
                ? cookies(headers[key]) : exchange.responseHeaders[field].map { JSONValue.string($0) }
        }
        if let key = headers.keys.first(where: { $0.lowercased() == "content-type" }) { headers[key] = nil }
        if !exchange.responseType.isEmpty, exchange.responseType != usual.map({ $0.prefix { $0 != ";" }.lowercased() })
        {
            headers["Content-Type"] = .string(exchange.responseHeaders[.contentType] ?? "")
        }
        if headers != object["headers"]?.object ?? JSONObject() {
            changes.append(("headers", headers.count == 0 ? nil : .object(headers)))
        }
        let rules = brokenRules()
        if rules != stub.expectedRules.sorted() {
            changes.append(("expect", rules.isEmpty ? nil : .array(rules.map { .string($0) })))
        }
        for key in Self.bodyKeys where object[key] != nil && key != body?.key { changes.append((key, nil)) }
        if let body, object[body.key] != body.value { changes.append((body.key, body.value)) }
        return changes
    }

    /// The backend's cookies, with the values that the file has for them: matchers of other files expect those.
    private func cookies(_ former: JSONValue?) -> JSONValue? {
        let known = (former?.array ?? [former].compactMap(\.self)).compactMap(\.string).compactMap(RecordedCookie.init)
        let cookies = exchange.responseHeaders[values: .setCookie].compactMap(RecordedCookie.init).map { cookie in
            var cookie = cookie
            let name = RecordedCookie.nameForMocks(cookie.name)
            if let own = known.first(where: { $0.name == name }), !own.isRemoval, !cookie.isRemoval {
                cookie.value = own.value
            }
            return JSONValue.string(cookie.forMocks)
        }
        return cookies.count > 1 ? JSONValue.array(cookies) : cookies.first
    }

    /// The key and the value of a body, and the default media type for them.
    private func body() throws(MessageError) -> (body: (key: String, value: JSONValue)?, usual: String?) {
        guard !exchange.responseBody.isEmpty else { return (nil, nil) }
        if let document = try? JSONValue(parsing: exchange.responseBody), YAMLText.keeps(document) {
            return name.kind.written(document, status: exchange.status, pages)
        }
        guard let text = String(validating: exchange.responseBody, as: UTF8.self), YAMLText.keeps(.string(text)) else {
            throw MessageError("the backend's response isn't text: change it by hand")
        }
        return (("body", .string(text)), "text/plain")
    }

    private func brokenRules() -> [String] {
        guard (200...299).contains(exchange.status), let document = try? JSONValue(parsing: exchange.responseBody)
        else {
            return []
        }
        return name.kind.rules(brokenBy: document, at: name.path.text, pages)
    }
}

extension RecordedExchange {
    /// The document unchanged, or in lines if the file had lines.
    fileprivate func bytes(of document: JSONValue, like former: [UInt8]) -> [UInt8] {
        let isInLines = former.dropLast().contains(0x0A)
        if !isInLines, (try? JSONValue(parsing: responseBody)) == document { return responseBody }
        return Array(((isInLines ? document.indented : document.description) + "\n").utf8)
    }
}
