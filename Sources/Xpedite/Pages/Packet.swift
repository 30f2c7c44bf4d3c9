import Backlot
import BacklotJSON

/// A page on the wire: with the session's token, and at the beginning of a session with the app's version.
struct Packet: Sendable {
    var page: Page
    var version: Int?
    var token: String?

    init(_ page: Page, version: Int? = nil, token: String?) {
        self.page = page
        self.version = version
        self.token = token
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

extension Packet {
    static let vocabulary = Kind(
        "page",
        as: [.packet],
        "A whole new screen.",
        keys: [
            .rc,
            .required("components", .objects(.component), "The components, from top to bottom."),
            .token,
            .version,
            .optional("title", .string, "The title; without it, the page has no navigation bar."),
            .optional("id", .filled, "The page's name, for caching."),
            .background,
            .optional(
                "disposition",
                .disposition,
                "The time for which clients keep the page.",
                rule: "malformed-disposition"
            ),
            .optional("setDefaults", .object(.defaults), "The look of all texts that follow in the session."),
            .optional("images", .objects(.preload), "Pictures that the client loads for components."),
            .time,
        ]
    )
}

/// An answer with rows of a table.
enum RowsPacket {
    static let vocabulary = Kind(
        "rows",
        as: [.packet],
        "Rows of a table.",
        noun: "an answer with rows",
        keys: [
            .rc,
            .required("data", .array(.map(.any)), "The rows, each an object of fields."),
            .optional("max", .integer(0...Int64.max), "That there are more rows; without it, these are the last."),
            // [reading] see ExchangeReadings.dataHasComponents
            .optional("components", .objects(.component), "Nothing: clients show the rows alone."),
            .token,
            .unwritten("version", .integer(Int64.min...Int64.max), "The app's version."),
            .unwritten("time", .integer(0...Int64.max), "When the server handled the call, in seconds since 1970."),
        ]
    )
}

extension Role {
    static let packet = Role("answer", hasStep: false)
}

extension Key {
    fileprivate static let rc = required(
        "rc",
        .integer(Int64.min...Int64.max),
        "The result of the call: with 0 it succeeded, with anything else clients show an error dialog."
    )
    fileprivate static let token = optional(
        "token",
        .filled,
        "The session's token: clients drop an answer with another, and need it in all answers but the first."
    )
    fileprivate static let version = optional(
        "version",
        .integer(Int64.min...Int64.max),
        "The app's version: when it changes, clients drop the pages that they have kept."
    )
    fileprivate static let time = optional(
        "time",
        .integer(0...Int64.max),
        "When the server handled the call, in seconds since 1970."
    )
}
