import Backlot

/// A page on the wire, with the session's token. At the beginning of a session it also has the app's version.
struct Packet: Sendable, KeyedObject {
    var page: Page
    var version: Int?
    var token: String?

    init(_ page: Page, version: Int? = nil, token: String?) {
        self.page = page
        self.version = version
        self.token = token
    }

    var wireName: StaticString { "page" }
    static var roles: [Role] { [.packet] }
    static let vocabulary = Kind(Packet(Page(title: nil, components: []), token: nil), "A whole new screen.")

    func keys(_ keys: inout some Keys) {
        keys("rc", page.rc).required(
            "The result of the call: with 0 it succeeded, with anything else clients show an error dialog.",
            .integer(Int64.min...Int64.max)
        )
        keys("version", version).optional(
            "The app's version: when it changes, clients drop the pages that they have kept.",
            .integer(Int64.min...Int64.max)
        )
        keys("token", token).optional(
            "The session's token: clients drop a response with another one, and need it in all responses but the first.",
            .filled
        )
        keys("title", page.title).optional("The title; without it, the page has no navigation bar.")
        keys("id", page.id).optional("The page's name, for caching.", .filled)
        keys.background(page.background)
        keys("disposition", .disposition) {
            guard let disposition = page.disposition else { return }
            $0.key($1)
            disposition.encode(into: &$0)
        }
        .optional("The time that clients keep the page.", rule: "malformed-disposition")
        keys("setDefaults", page.defaults).optional("The look of all texts that follow in the session.")
        keys("images", page.images.isEmpty ? nil : page.images).optional(
            "Pictures that the client loads for components."
        )
        keys("time", page.time).optional(
            "When the server handled the call, in seconds since 1970.",
            .integer(0...Int64.max)
        )
        keys("components", page.components).required("The components, from top to bottom.")
    }

    var bytes: [UInt8] {
        JSONWriter.document(capacity: 1024) { writer in writer.object { keys(&$0) } }
    }
}

/// A response with rows of a table.
enum RowsPacket {
    static let vocabulary = Kind(
        "rows",
        as: [.packet],
        "Rows of a table.",
        noun: "an answer with rows",
        keys: Packet.vocabulary.keys.filter { ["rc", "token"].contains($0.name) } + [
            .required("data", .array(.map(.any)), "The rows, each an object of fields."),
            .optional("max", .integer(0...Int64.max), "That there are more rows; without it, these are the last."),
            // [reading] see ExchangeReadings.dataHasComponents
            .optional("components", .objects(.component), "Nothing: clients show the rows alone."),
            .unwritten("version", .integer(Int64.min...Int64.max), "The app's version."),
            .unwritten("time", .integer(0...Int64.max), "When the server handled the call, in seconds since 1970."),
        ]
    )
}

extension Role {
    static let packet = Role("answer", hasStep: false)
}
