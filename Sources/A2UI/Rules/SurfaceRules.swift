import Backlot

/// Judges messages as a client applies them, and the surfaces that result.
struct SurfaceRules {
    /// A finding in a message; nil for one that no message alone causes.
    struct Remark {
        let severity: Finding.Severity
        let rule: String
        let index: Int?
        let pointer: String
        let message: String
        let fix: String
    }

    private(set) var remarks: [Remark] = []
    private var processor: Processor
    private let ownCatalogs: [Catalog]
    /// The surfaces that were open before.
    private var former: Set<String> = []
    /// The message that opened each surface.
    private var openings: [String: Int] = [:]
    /// The latest place of each component, by surface and id.
    private var places: [String: [String: (index: Int, pointer: String)]] = [:]

    init(_ catalogs: [Catalog]) {
        ownCatalogs = catalogs
        let own = Dictionary(catalogs.map { ($0.id, $0) }) { _, last in last }
        processor = Processor(catalogs: Catalog.basics.merging(own) { _, own in own }, strictness: .schema)
    }

    /// Applies a message; its error is a finding.
    mutating func apply(_ json: JSONValue, _ index: Int) {
        do throws(A2UIError) {
            let message = try ServerMessage(json)
            open(message)
            try processor.apply(message)
            note(message, json, index)
        } catch {
            for detail in error.details {
                add(.error, detail.code, index, detail.path, detail.message, Self.fix(of: error))
            }
        }
    }

    /// Opens a surface that a message updates, and none before has opened: with the first catalog that has its components.
    private mutating func open(_ message: ServerMessage) {
        guard let id = message.surfaceID, processor.surfaces[id] == nil, openings[id] == nil else { return }
        var types: [String] = []
        switch message.content {
        case .updateComponents(_, let components): types = components.compactMap { $0["component"]?.string }
        case .updateDataModel: break
        default: return
        }
        let basic = message.version.isOne ? Catalog.basic1_0 : .basic0_9
        let fitting = (ownCatalogs + [basic]).first { catalog in
            catalog.version.isCompatible(with: message.version) && types.allSatisfy { catalog.components[$0] != nil }
        }
        let creation = ServerMessage.Creation(catalogID: (fitting ?? basic).id)
        former.insert(id)
        try? processor.apply(ServerMessage(message.version, .createSurface(id, creation)))
    }

    private mutating func note(_ message: ServerMessage, _ json: JSONValue, _ index: Int) {
        guard let id = message.surfaceID else { return }
        var list: (components: [JSONObject], pointer: String) = ([], "")
        switch message.content {
        case .createSurface(_, let creation):
            openings[id] = index
            list = (creation.components, "/createSurface/components")
        case .updateComponents(_, let components): list = (components, "/updateComponents/components")
        case .updateDataModel(_, let path, _):
            guard !message.version.isOne, json["updateDataModel"]?["value"] == .null else { break }
            let text = "Clients of 0.9 read null at \(path.quoted) differently: some delete, others keep it."
            add(.warning, "null-value", index, "/updateDataModel/value", text, "Leave \"value\" out to delete.")
        case .deleteSurface: places[id] = nil
        default: break
        }
        for (position, component) in list.components.enumerated() {
            places[id, default: [:]][component["id"]?.string ?? ""] = (index, "\(list.pointer)/\(position)")
        }
    }

    private mutating func add(
        _ severity: Finding.Severity,
        _ rule: String,
        _ index: Int?,
        _ pointer: String,
        _ message: String,
        _ fix: String
    ) {
        remarks.append(
            Remark(severity: severity, rule: rule, index: index, pointer: pointer, message: message, fix: fix)
        )
    }

    private static func fix(of error: A2UIError) -> String {
        switch error.code {
        case "missing_field": "Add it."
        case "extra_field": "Remove it, or correct its name."
        case "unrecognized_component", "unrecognized_function": "Write a name of the catalog."
        case "unknown_catalog", "no_catalog":
            "Write the id of the basic catalog, or name the catalog's file: demo-server judge --catalog FILE."
        case "duplicate_surface": "Send deleteSurface first, or choose another id."
        case "duplicate_id": "Give each component of a message its own id."
        default: "Correct it: clients report the error and leave the message out."
        }
    }

    // MARK: Surfaces

    /// Judges the surfaces that the messages have left open.
    mutating func judge() {
        guard !remarks.contains(where: { $0.severity == .error }) else { return }
        for surface in processor.surfaces.values.sorted(by: { $0.id < $1.id }) {
            if !former.contains(surface.id) { judgeTree(of: surface) }
            let nodes = processor.nodes(of: surface.id)
            for error in nodes?.errors ?? [] {
                add(
                    .warning,
                    error.code,
                    openings[surface.id],
                    "/createSurface",
                    error.message,
                    "Correct it: clients show nothing there."
                )
            }
            for (id, place) in (places[surface.id] ?? [:]).sorted(by: { $0.value < $1.value }) {
                guard let component = surface.components[id] else { continue }
                judge(component, on: surface, at: place)
            }
            judgeBindings(of: nodes, on: surface)
        }
    }

    private mutating func judgeTree(of surface: Surface) {
        do throws(A2UIError) {
            try processor.tree(of: surface).check(isComplete: true)
            guard surface.components.isEmpty else { return }
            let text = "The surface \(surface.id.quoted) has no components, so clients show nothing."
            add(.warning, "empty-surface", openings[surface.id], "/createSurface", text, "Send its components.")
        } catch {
            let isOrphan = error.code == "orphan"
            let fix = isOrphan ? "Name it in its parent, or leave it out." : "Send the component, or correct the name."
            add(isOrphan ? .warning : .error, error.code, openings[surface.id], "/createSurface", error.message, fix)
        }
    }

    private static let inputs = Set(
        Catalog.basicComponents(.v1_0).filter { $0.isCheckable && $0.properties.contains { $0.name == "value" } }
            .map(\.name)
    )

    private mutating func judge(_ component: Component, on surface: Surface, at place: (index: Int, pointer: String)) {
        let properties = component.properties
        func warn(_ rule: String, _ key: String, _ message: String, _ fix: String, _ rules: inout SurfaceRules) {
            rules.add(.warning, rule, place.index, place.pointer + JSONPointer.step(key), message, fix)
        }
        let key = surface.version.pathKey
        if Self.inputs.contains(component.type), properties["value"]?[key] == nil {
            let text = "The \(component.type) isn't bound, so the server never learns what users give."
            warn("unbound-input", "value", text, "Write {\"\(key)\": \"/name\"} as its value.", &self)
        }
        for member in properties.members where member.value.string?.contains("${") == true {
            let text = "\(member.key.quoted) shows \"${\" as it stands: only formatString fills it in."
            warn("plain-expression", member.key, text, "Write a call of formatString.", &self)
        }
        if component.type == "DateTimeInput", properties["enableDate"] != true, properties["enableTime"] != true {
            let text = "Neither enableDate nor enableTime is true, so clients differ in what they show."
            warn("no-date-or-time", "enableDate", text, "Write \"enableDate\": true, or \"enableTime\": true.", &self)
        }
        if component.type == "Slider", let most = properties["max"]?.number?.double,
            most <= properties["min"]?.number?.double ?? 0
        {
            warn("empty-range", "max", "The Slider's max isn't above its min.", "Write a larger max.", &self)
        }
        if !["Row", "Column"].contains(component.type) {
            for child in processor.tree(of: surface).children(of: component) {
                guard let place = places[surface.id]?[child.id],
                    surface.components[child.id]?.properties["weight"] != nil
                else { continue }
                let text = "\"weight\" has an effect only on children of a Row or a Column."
                let pointer = "\(place.pointer)/weight"
                add(.warning, "ignored-weight", place.index, pointer, text, "Leave it out.")
            }
        }
    }

    /// Warns of a path that the data model lacks, beside one with a similar name. Other values may come later.
    private mutating func judgeBindings(of nodes: NodeTree?, on surface: Surface) {
        var known: Set<String> = []
        for node in (nodes?.order ?? []).compactMap({ nodes?.nodes[$0] }) {
            guard let place = places[surface.id]?[node.componentID], known.insert(node.componentID).inserted else {
                continue
            }
            for (key, value) in node.properties.sorted(by: { $0.key < $1.key }) {
                guard case .value(nil, let path?) = value, let name = path.segments.last,
                    let siblings = surface.model[path.parent]?.object?.keys,
                    let near = Suggestion.nearest(to: name, among: siblings)
                else { continue }
                let text = "\(key.quoted) is bound to \(path), which the data model doesn't have."
                let fix =
                    "Write \(path.parent.appending(near).description.quoted), if that is what you mean, or send the value."
                add(.warning, "unknown-path", place.index, place.pointer + JSONPointer.step(key), text, fix)
            }
        }
    }
}

extension DataPath {
    fileprivate var parent: DataPath { DataPath(segments: segments.dropLast()) }
}
