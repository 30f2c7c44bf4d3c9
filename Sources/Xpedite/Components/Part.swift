public import BacklotJSON

/// What components and the fields of forms have in common: each is one JSON object with a `type`.
public protocol Part: Sendable {
    /// The part's name on the wire, such as `scrollview`.
    var type: StaticString { get }

    /// What the part is called, for errors, for saving a form, and for caching; unique on its page.
    var id: String? { get set }

    /// Writes the part as one JSON object.
    func encode(into writer: inout JSONWriter)
}

extension Part {
    /// Calls the part something, which is unique on its page.
    public consuming func id(_ id: String?) -> Self {
        self.id = id
        return consume self
    }

    /// The part's JSON, in UTF-8.
    var bytes: [UInt8] {
        JSONWriter.document(capacity: 512) { encode(into: &$0) }
    }
}

extension JSONWriter {
    /// Writes a part: its type, its id, its own members, its size.
    mutating func component(_ part: some Part & Sized, _ members: (inout JSONWriter) -> Void) {
        object(startingWith: "type", part.type) { writer in
            writer.field("id", part.id)
            members(&writer)
            writer.field("size", part.size)
        }
    }
}
