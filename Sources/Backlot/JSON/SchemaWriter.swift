#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A type that describes itself to `router.openAPI`, because example values can't reveal its keys.
public protocol OpenAPIDescribed {
    /// The schema, in JSON Schema 2020-12.
    static var openAPISchema: JSONValue { get }
}

/// Writes JSON Schemas of `Codable` types. Each type decodes itself from an example, and the writer notes the keys that it
/// requests.
final class SchemaWriter {
    /// A key of an object.
    struct Property {
        let name: String
        var schema: JSONValue
        let isRequired: Bool
    }

    /// The schemas of objects and choices, by name.
    private(set) var components = JSONObject()
    /// The types and routes without a description.
    private(set) var gaps: [String] = []
    private var names: [ObjectIdentifier: String] = [:]

    /// Notes a gap, and returns a text.
    func note(_ gap: String, _ text: String) -> String {
        if !gaps.contains(gap) { gaps.append(gap) }
        return text
    }

    /// The schema of a type; one that accepts any value if the type can't be described.
    func schema(of type: any Any.Type) -> JSONValue {
        if let described = type as? any OpenAPIDescribed.Type { return described.openAPISchema }
        if let plain = Self.plain(type) { return plain }
        switch type {
        case let type as any OptionalType.Type: return schema(of: type.wrapped)
        case let type as any ArrayType.Type: return ["type": "array", "items": schema(of: type.element)]
        case let type as any DictionaryType.Type:
            return ["type": "object", "additionalProperties": schema(of: type.value)]
        case let type as any ResponseType.Type: return schema(of: type.value)
        default: break
        }
        if let name = names[ObjectIdentifier(type)] { return Self.reference(name) }
        guard let decodable = type as? any Decodable.Type else {
            return gap(type, "isn't a Decodable type: make it Codable, or OpenAPIDescribed")
        }
        let name = newName(for: type)
        names[ObjectIdentifier(type)] = name
        components[name] = [:]
        do {
            components[name] = try Self.choices(of: decodable) ?? SchemaProbe.schema(of: decodable, self)
        } catch {
            components[name] = gap(
                type,
                "can't be read from example values (\(Self.reason(error))): make it OpenAPIDescribed"
            )
        }
        return Self.reference(name)
    }

    /// The keys of a type as parameters.
    func properties(of type: any Decodable.Type) -> [Property] {
        let probe = SchemaProbe(self)
        do {
            _ = try probe.example(type)
        } catch {
            _ = gap(type, "can't be read from example values (\(Self.reason(error))): its parameters are not complete")
        }
        return probe.properties
    }

    /// The schema of ``ProblemDetails``.
    var problemDetails: JSONValue {
        components["ProblemDetails"] = [
            "type": "object",
            "properties": [
                "type": ["type": "string", "format": "uri-reference"], "title": ["type": "string"],
                "status": ["type": "integer"], "detail": ["type": "string"],
                "errors": [
                    "type": "array",
                    "items": [
                        "type": "object",
                        "properties": ["pointer": ["type": "string"], "detail": ["type": "string"]],
                    ],
                ],
            ],
        ]
        return Self.reference("ProblemDetails")
    }

    private func gap(_ type: any Any.Type, _ problem: String) -> JSONValue {
        _ = note("\(type) \(problem)", "")
        return [:]
    }

    private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// The type's name in the characters of component names, with a number if another type has the same name.
    private func newName(for type: any Any.Type) -> String {
        let name = String("\(type)".map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "_" })
        let taken = (1...).lazy.map { $0 == 1 ? name : "\(name)\($0)" }
        return taken.first { self.components[$0] == nil && $0 != "ProblemDetails" } ?? name
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        return "\(InputError(error))"
    }

    private static func choices(of type: any Decodable.Type) -> JSONValue? {
        guard let type = type as? any CaseIterable.Type else { return nil }
        func values<Choice: CaseIterable>(_ type: Choice.Type) -> [JSONValue] {
            type.allCases.compactMap { choice in
                switch (choice as? any RawRepresentable)?.rawValue {
                case let text as String: .string(text)
                case let number as any FixedWidthInteger: Int64(exactly: number).map { .number(JSONNumber($0)) }
                default: nil
                }
            }
        }
        let values = values(type)
        return values.isEmpty ? nil : ["enum": .array(values)]
    }

    /// The schema of a type of the language or of Foundation, in the form that `JSONEncoder` writes; nil for others.
    private static func plain(_ type: any Any.Type) -> JSONValue? {
        switch type {
        case is String.Type: ["type": "string"]
        case is Bool.Type: ["type": "boolean"]
        case is Int32.Type: ["type": "integer", "format": "int32"]
        case is Int.Type, is Int64.Type: ["type": "integer", "format": "int64"]
        case is any UnsignedInteger.Type: ["type": "integer", "minimum": 0]
        case is any BinaryInteger.Type: ["type": "integer"]
        case is any BinaryFloatingPoint.Type, is Decimal.Type: ["type": "number"]
        case is Date.Type: ["type": "string", "format": "date-time"]
        case is UUID.Type: ["type": "string", "format": "uuid"]
        case is URL.Type: ["type": "string", "format": "uri"]
        case is Data.Type: ["type": "string", "contentEncoding": "base64"]
        default: nil
        }
    }

    /// A value of a type that needs no decoder; nil for others.
    static func example(_ type: any Any.Type) -> Any? {
        switch type {
        case is String.Type: ""
        case is Date.Type: Date(timeIntervalSince1970: 0)
        case is UUID.Type: UUID()
        case is URL.Type: URL(string: "https://example.com/")
        case is Data.Type: Data()
        case is Bool.Type: false
        case let type as any Numeric.Type: zero(type)
        case let type as any CaseIterable.Type: first(type)
        case let type as any OptionalType.Type: type.none
        case let type as any ArrayType.Type: type.empty
        case let type as any DictionaryType.Type: type.empty
        default: nil
        }
    }

    /// An example of a client's input for a type that texts convert to; nil for others.
    static func exampleInput(_ type: any Any.Type) -> JSONValue? {
        switch example(type) {
        case let date as Date: .string(date.formatted(.iso8601))
        case let url as URL: .string(url.absoluteString)
        case let id as UUID: .string(id.uuidString)
        case let value as any RawRepresentable:
            (value.rawValue as? any Encodable).flatMap { try? JSONValue(encoding: $0) }
        case is any Numeric: 0
        default: nil
        }
    }

    private static func zero<Number: Numeric>(_ type: Number.Type) -> Any { type.init(exactly: 0) ?? .zero }

    private static func first<Choice: CaseIterable>(_ type: Choice.Type) -> Any? { type.allCases.first }
}

private protocol ResponseType {
    static var value: any Any.Type { get }
}

extension JSONResponse: ResponseType {
    static var value: any Any.Type { Value.self }
}
