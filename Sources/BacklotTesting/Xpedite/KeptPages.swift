import BacklotJSON

/// The pages that a client has kept, for when the server can't be reached.
struct KeptPages {
    private struct Page {
        let packet: JSONObject
        /// The instant from which it is not shown any more; nil for never.
        let end: Int?
    }

    private var pages: [String: Page] = [:]
    /// Which page a call has led to.
    private var ids: [JSONValue: String] = [:]

    mutating func keep(_ packet: JSONObject, of call: JSONObject, now: Int) {
        guard let id = packet["id"]?.string, let disposition = packet["disposition"] else { return }
        let seconds = disposition["seconds"]?.number?.int64
        guard disposition == "permanent" || seconds != nil else { return }
        pages[id] = Page(packet: packet, end: seconds.map { now + Int($0) })
        ids[Self.key(call)] = id
    }

    func page(for call: JSONObject, now: Int) -> JSONObject? {
        guard let page = ids[Self.key(call)].flatMap({ pages[$0] }), page.end.map({ now < $0 }) ?? true else {
            return nil
        }
        return page.packet
    }

    /// The same call in another session leads to the same page.
    private static func key(_ call: JSONObject) -> JSONValue {
        var call = call
        call["token"] = nil
        return .object(call)
    }
}
