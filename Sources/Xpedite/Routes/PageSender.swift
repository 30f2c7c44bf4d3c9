import Backlot
import Logging

/// Makes the packet of a page, and notes the parts that the client keeps in the session.
struct PageSender: Sendable {
    /// The error for a page that clients must not get.
    struct Broken: Error {
        let text: String
    }

    private let version: Int
    private let configuration: XpediteConfiguration
    private let methods: Set<String>
    private let tables: Set<String>
    /// The validators for the pages of each method.
    private let validators: [String: ResponseValidator]

    init(version: Int, configuration: XpediteConfiguration, table: MethodTable, logger: Logger) {
        self.version = version
        self.configuration = configuration
        methods = table.names
        tables = Set(table.methods.filter(\.value.isTable).keys)
        validators = methods.union([MethodTable.connect]).reduce(into: [:]) { validators, method in
            validators[method] = ResponseValidator(configuration.validation, of: "page", logger: logger)
        }
    }

    /// The packet, in UTF-8.
    ///
    /// - Parameters:
    ///   - known: the client's state before the call; a log-out forgets it in the session, but not on the device.
    ///   - isFirst: whether the session begins with the page.
    /// - Throws: `Broken` for a page that clients can't read.
    func send(_ page: Page, for call: Call, known: ClientState?, isFirst: Bool) throws -> [UInt8] {
        var packet = Packet(page, version: isFirst ? version : nil, token: call.token)
        var state = isFirst ? ClientState(version: version) : known ?? ClientState(version: version)
        // A client that connected to an older version of the app gets the new version with its next page.
        if page.disposition != nil || state.version != version { packet.version = version }
        state.adopt(version: version)
        if !configuration.readings.preloadsOutlivePages { state.removeImages() }
        let whole = packet.bytes
        if let text = refusal(of: whole, for: call, images: state.images) { throw Broken(text: text) }
        let queries = try queries(in: page.components)
        let before = known
        state.note(images: page.images.map(\.id))
        var isShorter = false
        if configuration.readings.sendsNavigationOnce {
            isShorter = replaceKnown(in: &packet.page.components, &state)
        }
        note(state, changed: state != before, isFirst: isFirst, in: call.session)
        let forms = Self.forms(in: page.components)
        // Stored packets have no token.
        if !forms.isEmpty { note(Packet(page, token: nil).bytes, forms, in: call.session) }
        if !queries.isEmpty { note(queries, in: call.session) }
        return isShorter ? packet.bytes : whole
    }

    /// The packet of a form that is sent again, with the earlier page around it.
    ///
    /// - Parameter known: the client's state before the call.
    func send(again packet: JSONObject, for call: Call, known: ClientState?) -> [UInt8] {
        var packet = packet
        var state = known ?? ClientState(version: version)
        // Clients shouldn't keep a page with messages, and its version and time are outdated.
        for key in ["disposition", "version", "time"] { packet[key] = nil }
        if state.version != version { packet["version"] = .number(JSONNumber(Int64(version))) }
        state.adopt(version: version)
        if configuration.readings.sendsNavigationOnce {
            var components = packet["components"]?.array ?? []
            for index in components.indices {
                guard let navigation = components[index].object, navigation["type"] == "navigation",
                    let id = navigation["id"]?.string, navigation["implementation"] != nil
                else { continue }
                let mark = FNV1a.hash(components[index].bytes.span)
                if state.navigations[id] == mark { components[index] = ["type": "navigation", "id": .string(id)] }
                state.note(navigation: id, mark)
            }
            packet["components"] = .array(components)
        }
        note(state, changed: state != known, isFirst: false, in: call.session)
        return JSONValue.object(packet).bytes
    }

    /// The text to send instead of a page; nil if the page may be sent.
    private func refusal(of packet: [UInt8], for call: Call, images: [String]) -> String? {
        validators[call.method]?.refusal(
            of: call.request,
            response: packet,
            by: judge(of: packet, in: call.method, Set(images))
        )
    }

    private func judge(of packet: [UInt8], in method: String, _ images: Set<String>) -> @Sendable () -> [Finding] {
        let inspector = XpediteInspector(
            facts: XpediteFacts(methods: methods, images: images),
            readings: configuration.rules
        )
        return { inspector.findings(inBody: packet, path: method, app: nil) }
    }

    /// Shortens navigations that the client keeps to their ids, and notes the others.
    ///
    /// - Returns: whether it shortened any.
    private func replaceKnown(in components: inout [any Component], _ state: inout ClientState) -> Bool {
        var isShorter = false
        for index in components.indices {
            guard let navigation = components[index] as? Navigation, let id = navigation.id,
                navigation.implementation != nil
            else { continue }
            let mark = FNV1a.hash(navigation.bytes.span)
            if state.navigations[id] == mark {
                components[index] = navigation.reference
                isShorter = true
            }
            state.note(navigation: id, mark)
        }
        return isShorter
    }

    private func note(_ state: ClientState, changed: Bool, isFirst: Bool, in session: Session) {
        // A device that connects again has dropped all of its earlier parts.
        if isFirst { return (try? session.set(ClientStateKey.self, to: state)) ?? () }
        guard changed || session[ClientStateKey.self] == nil else { return }
        // After a failure, navigations are sent completely again.
        try? session.update(ClientStateKey.self) { value in
            guard var merged = value else { return value = state }
            merged.merge(state)
            value = merged
        }
    }

    private func note(_ page: [UInt8], _ forms: [String], in session: Session) {
        let limit = configuration.formLimit
        try? session.update(SentFormsKey.self) { value in
            var sent = value ?? SentForms()
            sent.add(page, forms: forms, limit: limit)
            value = sent
        }
    }

    private func note(_ queries: [String: String], in session: Session) {
        let kept = session[TableQueriesKey.self] ?? [:]
        guard queries.contains(where: { kept[$0] != $1 }) else { return }
        try? session.update(TableQueriesKey.self) { value in
            value = (value ?? [:]).merging(queries) { _, new in new }
        }
    }

    /// The queries of the tables on a page, by the names of their methods. Methods that aren't the app's are left out.
    private func queries(in components: [any Component]) throws -> [String: String] {
        var queries: [String: String] = [:]
        for component in components {
            queries.merge(try self.queries(in: component.children)) { _, last in last }
            guard let table = component as? Table, let query = table.query, tables.contains(table.dynamic) else {
                continue
            }
            let text = query.description
            guard query.object != nil, text.utf8.count <= TableQueriesKey.maximumBytes else {
                let limit = TableQueriesKey.maximumBytes
                throw Broken(
                    text: "The query of the table \(table.dynamic.quoted) must be an object of at most \(limit) bytes."
                )
            }
            queries[table.dynamic] = text
        }
        return queries
    }

    /// The ids of the forms on a page.
    private static func forms(in components: [any Component]) -> [String] {
        components.flatMap { component -> [String] in
            if let form = component as? Form { return form.id.map { [$0] } ?? [] }
            if let part = component as? WrittenComponent, part.isForm { return part.id.map { [$0] } ?? [] }
            return forms(in: component.children)
        }
    }
}
