import Backlot
import BacklotJSON

/// A page as it goes over the wire: with the session's token, and when a session begins, with the app's version.
struct Packet: Sendable {
    var page: Page
    var version: Int?
    var token: String?

    init(_ page: Page, version: Int? = nil, token: String?) {
        self.page = page
        self.version = version
        self.token = token
    }

    init(_ wire: WireReader) throws(WireError) {
        guard wire.object["components"] != nil else { throw wire.error("components", "is missing") }
        page = Page(title: try wire.string("title"), components: try wire.components("components"))
        page.rc = try wire.required("rc", try wire.integer("rc"))
        page.id = try wire.string("id")
        page.background = try wire.string("background")
        page.disposition = try wire.disposition()
        page.defaults = try wire.object("setDefaults") { reader throws(WireError) in try Defaults(reader) }
        page.images = try wire.list("images") { reader throws(WireError) in try Preload(reader) }
        page.time = try wire.integer("time")
        version = try wire.integer("version")
        token = try wire.string("token")
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("rc", page.rc)
            $0.field("version", version)
            $0.field("token", token)
            $0.field("title", page.title)
            $0.field("id", page.id)
            $0.field("background", page.background)
            if let disposition = page.disposition {
                $0.key("disposition")
                disposition.encode(into: &$0)
            }
            if let defaults = page.defaults {
                $0.key("setDefaults")
                defaults.encode(into: &$0)
            }
            if !page.images.isEmpty {
                $0.array("images") { writer in
                    for image in page.images { image.encode(into: &writer) }
                }
            }
            $0.field("time", page.time)
            $0.field("components", page.components)
        }
    }

    var bytes: [UInt8] {
        JSONWriter.document(capacity: 1024) { encode(into: &$0) }
    }
}

extension WireReader {
    func disposition() throws(WireError) -> Disposition? {
        guard let value = object["disposition"], !value.isNull else { return nil }
        return try Disposition(value, at: "\(pointer)/disposition")
    }
}
