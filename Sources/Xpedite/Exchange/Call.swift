public import Backlot
public import BacklotJSON

/// A packet from a client, for the method that it calls.
public struct Call: Sendable {
    /// The method.
    public let method: String
    /// The token of the session, which stays the same for the session's whole life.
    public let token: String
    /// The whole packet.
    public let packet: JSONObject
    /// Who is logged in, and what the app keeps for the client. It doesn't depend on cookies.
    ///
    /// `logOut` forgets the user and all values. The session goes on, as the client does.
    public let session: Session
    /// The request that brought the packet.
    public let request: Request
    let readings: Readings

    /// A parameter; nil where the packet has none of that name.
    public func parameter(_ name: String) -> JSONValue? {
        for place in readings.parameterPlaces {
            let value =
                switch place {
                case .parameters: packet["parameters"]?[name]
                case .topLevel: readings.reservedNames.contains(name) ? nil : packet[name]
                }
            if let value { return value }
        }
        return nil
    }

    /// The value that the tapped row of a table has in a field; nil where the packet has none.
    public func selected(_ field: String) -> JSONValue? {
        for place in readings.selectionPlaces {
            let value =
                switch place {
                case .parametersField: packet["parameters"]?[field]
                case .topLevelField: readings.reservedNames.contains(field) ? nil : packet[field]
                case .selected: packet["selected"]
                case .parametersSelected: packet["parameters"]?["selected"]
                }
            if let value { return value }
        }
        return nil
    }

    /// The forms in the packet, by their ids.
    public var forms: [String] {
        packet["formdata"]?.object?.members.compactMap { $0.value.object == nil ? nil : $0.key } ?? []
    }

    /// The values of a form; without an id, those of the only form in the packet. Inputs that stand in no form are there too.
    public func formdata(_ form: String? = nil) -> JSONObject {
        let data = packet["formdata"]?.object ?? JSONObject()
        var values = JSONObject()
        if readings.readsStandaloneInputs {
            for member in data.members where member.value.object == nil { values[member.key] = member.value }
        }
        let id = form ?? (forms.count == 1 ? forms[0] : nil)
        for member in id.flatMap({ data[$0]?.object })?.members ?? [] { values[member.key] = member.value }
        return values
    }

    /// All that the packet says, by name: the values of a form, a tapped row's value under its field's name, parameters. Of one
    /// name, the first of these counts.
    ///
    /// - Parameters:
    ///   - form: the form; nil for the only one there is.
    ///   - field: the field that `clickRow` named; nil where no row is tapped.
    public func input(form: String? = nil, selected field: String? = nil) -> JSONObject {
        var values = JSONObject()
        for place in readings.parameterPlaces.reversed() {
            switch place {
            case .parameters:
                for member in packet["parameters"]?.object?.members ?? [] { values[member.key] = member.value }
            case .topLevel:
                for member in packet.members where !readings.reservedNames.contains(member.key) {
                    values[member.key] = member.value
                }
            }
        }
        if let field, let value = selected(field) { values[field] = value }
        for member in formdata(form).members { values[member.key] = member.value }
        return values
    }

    /// All that the packet says, as a value of a type of yours. Texts are read as what the type asks for: `"1"` as true, `"42"`
    /// as a number, `"1990-06-15"` as a ``Day``.
    ///
    /// - Throws: ``InputError``, which names what is missing or of another type.
    public func decode<Input: Decodable>(
        _ type: Input.Type = Input.self,
        form: String? = nil,
        selected field: String? = nil
    ) throws -> Input {
        try InputDecoder.decode(type, from: input(form: form, selected: field))
    }
}
