import Backlot

/// A component that was written as JSON, in a file.
struct WrittenComponent: Component {
    private var object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    var type: StaticString { "component" }
    var id: String? {
        get { object["id"]?.string }
        set { object["id"] = newValue.map { .string($0) } }
    }
    var isForm: Bool { object["type"] == "form" }
    var children: [any Component] {
        (object["components"]?.array ?? []).compactMap { $0.object.map(WrittenComponent.init) }
    }

    func encode(into writer: inout JSONWriter) { writer.value(.object(object)) }
}

extension Page {
    /// Creates a page that was written as JSON, in a file.
    ///
    /// - Throws: `StatusError` for one that clients can't read, since tags have made it so.
    init(written object: JSONObject) throws {
        let wire: DocumentObject
        do throws(DocumentError) {
            wire = try DocumentObject(.object(object))
            title = try wire.string("title")
            components = (object["components"]?.array ?? []).compactMap { $0.object.map(WrittenComponent.init) }
            id = try wire.string("id")
            background = try wire.string("background")
            disposition = try Self.disposition(wire)
            defaults = try wire.object("setDefaults") { reader throws(DocumentError) in
                Defaults(
                    font: try reader.string("font"),
                    fontsize: try reader.integer("fontsize"),
                    background: try reader.string("background")
                )
            }
            images = try wire.list("images") { reader throws(DocumentError) in
                Preload(
                    id: try reader.requiredString("id"),
                    url: try reader.requiredString("url"),
                    load: try reader.name("load", Preload.Priority.init(rawValue:))
                )
            }
            time = try wire.integer("time")
        } catch {
            throw StatusError(.internalServerError, "\(error)")
        }
    }

    private static func disposition(_ wire: DocumentObject) throws(DocumentError) -> Disposition? {
        guard wire.value("disposition")?.object != nil else {
            return try wire.name("disposition") { $0 == "permanent" ? .permanent : nil }
        }
        return try wire.object("disposition") { reader throws(DocumentError) in
            .expiry(.seconds(try reader.required("seconds", try reader.integer("seconds"))))
        }
    }
}
