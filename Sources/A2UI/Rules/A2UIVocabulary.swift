package import Backlot

/// Every part of a server's messages that clients know, with the components of the basic catalog.
///
/// The components come from the tables of ``Catalog``, so that each is declared once.
package enum A2UIVocabulary {
    /// The vocabulary of responses, with the versions that know each part.
    package static let all = Vocabulary(
        [response, message] + contents + parts + components,
        for: audiences,
        refusal: "report an error and leave the message out",
        refusesWhole: false
    )

    /// The readers of files for any version.
    static let anyVersion = Audience(dialect: "files", noun: "clients of all versions", advice: "write another file")

    private static let audiences = [ProtocolVersion.v0_9, .v1_0October, .v1_0].map { version in
        Audience(
            dialect: version.rawValue,
            noun: "clients of A2UI \(version.rawValue)",
            advice: "use the words of \(version.rawValue)"
        )
    }

    /// The clients of a version.
    package static func audience(of version: ProtocolVersion) -> Audience {
        audiences.first { $0.dialect == version.rawValue } ?? audiences[0]
    }

    private static let zero = Support.dialects("v0.9", "files")
    private static let one = Support.dialects("v1.0", "1.0", "files")

    private static func part(
        _ name: String,
        _ meaning: String,
        hasStep: Bool = true,
        listKey: String? = nil,
        support: Support = .all,
        groups: KeyGroup...,
        @ListBuilder<Key> keys: () -> [Key]
    ) -> Kind {
        let role = Role(name, labels: ["surfaceId", "name"], hasStep: hasStep)
        return Kind(name, as: [role], meaning, support: support, listKey: listKey, groups: groups, keys: keys())
    }

    // MARK: Messages

    package static let response = part(
        "messages",
        "The messages of a response, in order.",
        hasStep: false,
        listKey: "messages"
    ) {
        Key.required("messages", .objects(message.roles[0]), "The messages.")
    }

    static let message = part(
        "message",
        "A message of a server. It has one effect.",
        groups: .exactlyOne(
            "createSurface",
            "updateComponents",
            "updateDataModel",
            "deleteSurface",
            "callRendererFunction",
            "agentFunctionResponse"
        )
    ) {
        let names = ProtocolVersion.allCases.map { Name(text: $0.rawValue) }
        Key.required("version", .oneOf(names, ifUnknown: .refusal), "The version of A2UI.")
        contents.map { Key.optional($0.name, .object($0.roles[0]), $0.meaning, support: $0.support) }
    }

    private static let surfaceID = Key.required("surfaceId", .string, "The surface.")
    private static let callID = Key.required("functionCallId", .string, "The call's id, which its outcome repeats.")
    private static let extensions = Key.optional("metadata", .map(.any), "Extensions.", support: one)
    /// The type of a list of components.
    static let componentList = ValueType.array(.object(component), .atLeast(1))

    private static let contents = [
        part("createSurface", "Opens a surface.") {
            surfaceID
            Key.required("catalogId", .string, "The catalog of its components and calls.", support: zero)
            Key.optional("catalogId", .string, "The catalog of components and calls that name none.", support: one)
            Key.optional("theme", .map(.any), "The theme, as the catalog declares it.", support: zero)
            Key.optional("sendDataModel", .bool, "Whether clients send the data model with actions.", default: false)
            Key.optional("components", componentList, "The first components.", support: one)
            Key.optional("dataModel", .map(.any), "The first data model.", support: one)
            extensions
        },
        part("updateComponents", "Adds components, or replaces those with the same ids.") {
            surfaceID
            Key.required("components", componentList, "The components, in any order. The tree begins at the id root.")
        },
        part("updateDataModel", "Writes a value into the data model.") {
            surfaceID
            Key.optional("path", .string, "The path of the value.", default: "/")
            Key.optional("value", .any, "The value. 0.9 deletes without one; 1.0 deletes with null.")
        },
        part("deleteSurface", "Closes a surface.") { surfaceID },
        part("callRendererFunction", "Calls a function of the client.", support: one) {
            callID
            Key.required("callFunction", value, "The call.")
            Key.optional("surfaceId", .string, "The surface with the data model for the call.")
        },
        part("agentFunctionResponse", "The outcome of a function that the client called.", support: one) {
            callID
            Key.optional("value", .any, "The result.")
            Key.optional("error", .map(.any), "The code and the message of a failure.")
        },
    ]

    // MARK: Parts of components

    private static let binding = part(
        "binding or call",
        "A value of the data model, or the result of a function.",
        hasStep: false,
        groups: .exactlyOne("path", "@path", "call", "@call")
    ) {
        Key.optional("path", .string, "The path of the value.", support: zero)
        Key.optional("@path", .string, "The path of the value.", support: one)
        Key.optional("call", .string, "The name of the function.", support: zero)
        Key.optional("@call", .string, "The name of the function.", support: one)
        Key.optional("args", .map(.any), "The arguments by their names. Each may be bound or computed.")
        Key.optional("returnType", .string, "The type of the result.", support: zero)
        Key.optional("catalogId", .string, "The catalog of the function.", support: one)
    }
    private static let value = ValueType.object(binding.roles[0])
    private static let text = ValueType.either([.string, value])

    private static let template = part("template", "A component for each element of a list.", hasStep: false) {
        Key.required("componentId", .string, "The component.")
        Key.required("path", .string, "The path of the list in the data model.")
    }

    private static let event = part("event", "An event for the server.") {
        Key.required("name", .string, "The action's name.")
        Key.optional("context", .map(.any), "The values to send. Each may be bound or computed.")
        Key.optional("userMessage", text, "The action in words.", support: one)
        extensions
    }

    private static let action = part("action", "The effect of a tap.", groups: .exactlyOne("event", "functionCall")) {
        Key.optional("event", .object(event.roles[0]), "An event for the server.")
        Key.optional("functionCall", value, "A function of the client.")
    }

    private static let check = part("check", "A condition for an input or a button.") {
        Key.required("condition", .either([.bool, value]), "The condition.")
        Key.optional("message", .string, "The message for users while it isn't met.", support: one)
        Key.required("message", .string, "The message for users while it isn't met.", support: .dialects("v0.9"))
    }

    private static let parts = [binding, template, event, action, check]

    // MARK: Components

    package static let component = Role("component", .key("component"), labels: ["id"], example: "Text")

    /// The components of the basic catalogs. A key that is alike in all versions is there once.
    private static let components: [Kind] = {
        let (old, new) = (Catalog.basicComponents(.v0_9), Catalog.basicComponents(.v1_0))
        return zip(old, new).map { old, new in
            func isAlike(_ left: Property, _ right: Property) -> Bool {
                left.name == right.name && left.isRequired == right.isRequired
                    && left.type.schema(.v1_0) == right.type.schema(.v1_0)
            }
            var keys: [Key] = [.required("id", .string, "The id, unique in the surface.")]
            for property in old.properties {
                keys.append(key(property, new.properties.contains { isAlike($0, property) } ? .all : zero))
            }
            for property in new.properties where !old.properties.contains(where: { isAlike($0, property) }) {
                keys.append(key(property, one))
            }
            for (prefix, all, own) in [
                ("", ["v0.9", "v1.0", "files"], ["v1.0", "files"]), ("@", ["1.0", "files"], ["1.0", "files"]),
            ] {
                let (all, own) = (Support(dialects: all), Support(dialects: own))
                keys.append(.optional("\(prefix)accessibility", .map(.any), "Words for screen readers.", support: all))
                keys.append(.optional("\(prefix)catalogId", .string, "The component's catalog.", support: own))
                keys.append(.optional("\(prefix)metadata", .map(.any), "Extensions.", support: own))
                guard old.isCheckable else { continue }
                keys.append(.optional("\(prefix)checks", .objects(check.roles[0]), "The checks.", support: all))
            }
            return Kind(old.name, as: [component], old.meaning, keys: keys)
        }
    }()

    private static func key(_ property: Property, _ support: Support) -> Key {
        let type = type(of: property.type)
        return property.isRequired
            ? .required(property.name, type, property.meaning, support: support)
            : .optional(property.name, type, property.meaning, default: property.defaultValue, support: support)
    }

    private static func type(of type: PropertyType) -> ValueType {
        switch type {
        case .string, .url, .child, .color: .string
        case .boolean: .bool
        case .number: .number
        case .integer(let least): .integer(Int64(least)...Int64(Int32.max))
        case .oneOf(let names): .oneOf(names.map { Name(text: $0) }, ifUnknown: .refusal)
        case .dynamic(.string), .dynamic(.url), .dateTime: text
        case .dynamic(.number): .either([.number, value])
        case .dynamic(.boolean): .either([.bool, value])
        case .dynamic(.stringList): .either([.array(.string), value])
        case .binding: value
        case .children: .either([.array(.string), .object(template.roles[0])])
        case .action: .object(action.roles[0])
        case .list(let element, let least): .array(Self.type(of: element), least > 0 ? .atLeast(least) : .any)
        case .object: .map(.any)
        case .either(let types): .either(types.map(Self.type).filter { !$0.fits([:]) } + [.map(.any)])
        case .any, .dynamic(.value): .any
        }
    }
}
