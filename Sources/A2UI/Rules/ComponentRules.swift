package import Backlot

/// Checks components and calls against their catalogs.
package struct ComponentRules {
    let scope: CatalogScope
    /// The version of the message, which may be another form of the surface's.
    let version: ProtocolVersion
    let strictness: Processor.Strictness

    package init(scope: CatalogScope, version: ProtocolVersion, strictness: Processor.Strictness) {
        (self.scope, self.version, self.strictness) = (scope, version, strictness)
    }

    /// The deepest nesting of a component's values.
    private static let depthLimit = 50
    /// The deepest nesting of calls in arguments.
    private static let callDepthLimit = 5

    /// Checks a component.
    ///
    /// - Parameter path: the pointer of the component in its message.
    func check(_ component: Component, at path: String) throws(A2UIError) {
        guard strictness >= .schema else {
            try checkValues(of: component, nil, at: path)
            return
        }
        if version.isOne, component.common("catalogId") != nil, component.catalogID == nil {
            throw A2UIError(.validation, "type_mismatch", "catalogId must be a string.", at: "\(path)/catalogId")
        }
        let catalog = try scope.catalog(version.isOne ? component.catalogID : nil)
        guard let shape = catalog.components[component.type] else {
            let near = Suggestion.nearest(to: component.type, among: catalog.components.keys.sorted()).map {
                " Do you mean \($0)?"
            }
            throw A2UIError(
                .validation,
                "unrecognized_component",
                "The catalog \(catalog.id.excerpt(upTo: 200)) has no component '\(component.type.excerpt)'.\(near ?? "")",
                at: "\(path)/component"
            )
        }
        if strictness == .strict, version.isOne, !component.id.isIdentifier {
            throw A2UIError(
                .validation,
                "invalid_value",
                "The id \(component.id.quoted) must be letters, digits and _ only.",
                at: "\(path)/id"
            )
        }
        var plain: [(String, JSONValue)] = []
        for member in component.properties.members {
            var key = member.key
            if version == .v1_0 {
                if key.first == "@", ProtocolVersion.prefixedKeys.contains(String(key.dropFirst())) {
                    key.removeFirst()
                } else if ProtocolVersion.prefixedKeys.contains(key) {
                    throw A2UIError(.validation, "extra_field", "Write \"@\(key)\" in 1.0.", at: "\(path)/\(key)")
                }
            }
            plain.append((key, member.value))
        }
        let mistakes = catalog.mistakes(in: .object(JSONObject(pairs: plain)), as: "component:\(component.type)")
        guard mistakes.isEmpty else {
            throw A2UIError(
                .validation,
                mistakes.map {
                    let message = "The \(component.type) \(component.id.quoted) is wrong: \($0.message)."
                    return A2UIError.Detail(code: $0.code, path: $0.path, message: message)
                }
            ).at(path)
        }
        try checkValues(of: component, shape, at: path)
    }

    private func checkValues(of component: Component, _ shape: ComponentShape?, at path: String) throws(A2UIError) {
        for member in component.properties.members where !["id", "component"].contains(member.key) {
            let path = path + JSONPointer.step(member.key)
            if let event = member.value["event"], shape?.actions.contains(member.key) ?? true {
                // The keys of a context have no meaning here.
                for entry in event["context"]?.object?.members ?? [] {
                    try check(entry.value, at: "\(path)/event/context\(JSONPointer.step(entry.key))")
                }
                if let message = event["userMessage"] { try check(message, at: "\(path)/event/userMessage") }
            } else {
                try check(member.value, at: path)
            }
        }
    }

    private func check(_ value: JSONValue, at path: String, depth: Int = 0, calls: Int = 0) throws(A2UIError) {
        guard depth <= Self.depthLimit else {
            throw A2UIError(.recursion, "too_deep", "A value is nested more than \(Self.depthLimit) deep.", at: path)
        }
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try check(element, at: "\(path)/\(index)", depth: depth + 1, calls: calls)
            }
        case .object(let object):
            if let name = object[version.callKey]?.string {
                try checkCall(name, value, at: path, calls: calls)
                for member in object["args"]?.object?.members ?? [] {
                    try check(
                        member.value,
                        at: "\(path)/args\(JSONPointer.step(member.key))",
                        depth: depth + 1,
                        calls: calls + 1
                    )
                }
            } else {
                for member in object.members {
                    try check(member.value, at: path + JSONPointer.step(member.key), depth: depth + 1, calls: calls)
                }
            }
            if strictness >= .schema, version.isOne { try checkReserved(object, at: path) }
            let template = object["componentId"] == nil ? nil : object["path"]?.string
            if strictness >= .schema, let pointer = object[version.pathKey]?.string ?? template {
                do throws(A2UIError) {
                    try DataPath.checkEscapes(in: pointer)
                } catch {
                    throw error.at(path)
                }
            }
            if strictness == .strict, let pointer = object[version.pathKey]?.string, object.count == 1,
                pointer.utf8.contains(where: { $0 <= 0x20 || "[]".utf8.contains($0) })
            {
                throw A2UIError(
                    .validation,
                    "invalid_pointer",
                    "\(pointer.quoted) isn't a path; write /name/0.",
                    at: path
                )
            }
        default: break
        }
    }

    /// Checks the keys that 1.0 reserves in any value.
    private func checkReserved(_ object: JSONObject, at path: String) throws(A2UIError) {
        for member in object.members where member.key.hasPrefix("@") && !member.key.hasPrefix("@@") {
            let path = path + JSONPointer.step(member.key)
            guard member.key == version.pathKey || member.key == version.callKey else {
                let text =
                    "\(member.key.excerpt.quoted) is reserved; write \"@\(member.key.excerpt)\" for a key of the data."
                throw A2UIError(.validation, "extra_field", text, at: path)
            }
            guard member.value.string == nil else { continue }
            throw A2UIError(.validation, "type_mismatch", "\(member.key) must be a string.", at: path)
        }
    }

    /// Checks one call, without the calls in its arguments.
    package func checkCall(_ name: String, _ call: JSONValue, at path: String, calls: Int = 0) throws(A2UIError) {
        guard calls < Self.callDepthLimit else {
            throw A2UIError(.recursion, "too_deep", "Calls are nested more than \(Self.callDepthLimit) deep.", at: path)
        }
        let arguments = call["args"]?.object?.count ?? 0
        guard arguments <= Evaluator.argumentLimit else {
            throw A2UIError(
                .validation,
                "too_many_arguments",
                "A call has more than \(Evaluator.argumentLimit) arguments.",
                at: "\(path)/args"
            )
        }
        let catalogID = version.isOne ? call["catalogId"]?.string : nil
        let mistakes: [A2UIError.Detail]
        if version.isOne, name.hasPrefix("@") {
            guard name == "@index" else {
                throw A2UIError(
                    .validation,
                    "unrecognized_function",
                    "Unrecognized system function '\(name.excerpt)'; there is only @index.",
                    at: path
                )
            }
            mistakes = Catalog.basic1_0.mistakes(in: call, as: "type:IndexSystemFunction")
        } else {
            // An unknown catalog can't be mended by a later message, so that a lenient client reports it too.
            guard strictness >= .schema || catalogID != nil else { return }
            let catalog = try scope.catalog(catalogID)
            guard strictness >= .schema else { return }
            do throws(A2UIError) {
                _ = try scope.function(name, catalog: catalogID)
            } catch {
                throw A2UIError(.validation, error.code, error.message, at: path)
            }
            mistakes = catalog.mistakes(in: call, as: "function:\(name)")
        }
        guard strictness >= .schema, !mistakes.isEmpty else { return }
        throw A2UIError(
            .validation,
            mistakes.map {
                A2UIError.Detail(
                    code: $0.code,
                    path: $0.path,
                    message: "The call of \(name.quoted) is wrong: \($0.message)."
                )
            }
        ).at(path)
    }

    /// Checks all of a message that needs no surface.
    package func check(_ message: ServerMessage) throws(A2UIError) {
        switch message.content {
        case .createSurface(_, let creation):
            if let theme = creation.theme, strictness >= .schema {
                let mistakes = try scope.catalog(nil).mistakes(in: .object(theme), as: "theme")
                guard mistakes.isEmpty else { throw A2UIError(.validation, mistakes).at("/createSurface/theme") }
            }
            _ = try components(creation.components, known: [:], at: "/createSurface/components")
        case .updateComponents(_, let objects):
            _ = try components(objects, known: [:], at: "/updateComponents/components")
        case .callRendererFunction(let call):
            guard strictness >= .schema else { return }
            try checkCall(call.function, .object(call.call), at: "/callRendererFunction/callFunction")
        default: break
        }
    }

    /// The components of a message. All are checked before any counts.
    ///
    /// - Parameter known: those of the surface. An update of one of them may leave its type out before 1.0.
    package func components(
        _ objects: [JSONObject],
        known: [String: Component],
        at path: String
    ) throws(A2UIError) -> [Component] {
        var components: [Component] = []
        var ids: Set<String> = []
        for (index, object) in objects.enumerated() {
            let path = "\(path)/\(index)"
            let id = object["id"]?.string ?? ""
            guard ids.insert(id).inserted else {
                throw A2UIError(
                    .integrity,
                    "duplicate_id",
                    "The id \(id.quoted) is there twice in one message.",
                    at: "\(path)/id"
                )
            }
            guard let type = object["component"]?.string ?? (version.isOne ? nil : known[id]?.type) else {
                throw A2UIError(
                    .validation,
                    "missing_field",
                    "The component \(id.quoted) has no type; write \"component\".",
                    at: "\(path)/component"
                )
            }
            var properties = object
            properties["component"] = .string(type)
            let component = Component(id: id, type: type, properties: properties)
            try check(component, at: path)
            components.append(component)
        }
        return components
    }
}

extension String {
    /// Whether this is an identifier: a letter or _, and then letters, digits and _ (UAX 31).
    package var isIdentifier: Bool {
        guard let first = unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return unicodeScalars.dropFirst().allSatisfy { $0.properties.isXIDContinue }
    }
}
