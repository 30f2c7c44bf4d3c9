public import Backlot

/// A packet from a client, for the method that it calls.
///
/// ```swift
/// app.method("customer") { call in
///     let id = try call.decode(CustomerID.self).id
///     return page("Customer \(id)") { label(call.session.user ?? "nobody") }
/// }
/// ```
public struct Call: Sendable {
    /// The method.
    public let method: String
    /// The whole packet.
    public let packet: JSONObject
    /// The user who is logged in, and the values that the app keeps for the client. It doesn't depend on cookies.
    ///
    /// `logOut` forgets the user and all values. The session continues.
    public let session: Session
    /// The request that brought the packet.
    public let request: Request
    let readings: ExchangeReadings
    /// Whether the packet's forms are known, but don't name this method as their `save`: then mistakes in them are ignored.
    var ignoresFormMistakes = false
    /// Whether the method's check has run.
    var isChecked = false

    /// The token of the session, which the response contains; after a log-in it is the new one.
    public var token: String { session.token ?? "" }

    /// A parameter; nil if the packet lacks it.
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

    /// The value of a field in the tapped row of a table; nil if the packet has no such value.
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

    /// The values of a form; without an id, the values of the packet's only form. Inputs outside of forms are included.
    public func formdata(_ form: String? = nil) -> JSONObject {
        let data = packet["formdata"]?.object ?? JSONObject()
        var values = JSONObject()
        if readings.readsStandaloneInputs {
            for member in data.members where member.value.object == nil { values.append(member.key, member.value) }
        }
        let id = form ?? (forms.count == 1 ? forms[0] : nil)
        return values.merged(with: id.flatMap { data[$0]?.object } ?? JSONObject()) { $1 }
    }

    /// All values of the packet, by name: the values of a form, a tapped row's value under its field's name, parameters. If names
    /// collide, the first of these counts.
    ///
    /// - Parameters:
    ///   - form: the form; nil for the only one.
    ///   - field: the field in `clickRow`; nil without a tapped row.
    public func input(form: String? = nil, selected field: String? = nil) -> JSONObject {
        input(form: form, selected: field, leavingOut: [])
    }

    /// - Parameter names: values of the form to leave out.
    private func input(form: String?, selected field: String?, leavingOut names: Set<String>) -> JSONObject {
        var values = JSONObject()
        for place in readings.parameterPlaces.reversed() {
            switch place {
            case .parameters: values = values.merged(with: packet["parameters"]?.object ?? JSONObject()) { $1 }
            case .topLevel: values = values.merged(with: packet.without(readings.reservedNames)) { $1 }
            }
        }
        if let field, let value = selected(field) { values[field] = value }
        return values.merged(with: formdata(form).without(names)) { $1 }
    }

    /// All values of the packet, decoded as a type of the app. Texts are converted to the types of its members: `"1"` to true,
    /// `"42"` to a number, `"1990-06-15"` to a ``Day``.
    ///
    /// Mistakes in a form only cause an error in the method that the form names as its `save`. Another method, such as that of
    /// `cancel`, doesn't get form values of the wrong type.
    ///
    /// - Throws: `InputError` with the name of a value that is missing or of another type.
    public func decode<Input: Decodable>(
        _ type: Input.Type = Input.self,
        form: String? = nil,
        selected field: String? = nil
    ) throws -> Input {
        var wrong: Set<String> = []
        while true {
            do {
                return try decode(type, form: form, selected: field, leavingOut: wrong)
            } catch let error as InputError where ignoresFormMistakes && formdata(form)[error.name] != nil {
                guard wrong.insert(error.name).inserted else { throw error }
            }
        }
    }

    func decode<Input: Decodable>(
        _ type: Input.Type,
        form: String?,
        selected field: String?,
        leavingOut names: Set<String>
    ) throws -> Input {
        try InputDecoder.decode(type, from: input(form: form, selected: field, leavingOut: names))
    }
}

extension JSONObject {
    /// The members without those that have these keys.
    fileprivate func without(_ keys: Set<String>) -> JSONObject {
        members.reduce(into: JSONObject()) { if !keys.contains($1.key) { $0.append($1.key, $1.value) } }
    }
}

/// The client's description of itself when a session begins. Members that it leaves out are nil.
///
/// Source: Xpedite API reference, Initialisation.
public struct Device: Sendable, Equatable {
    /// The app.
    public let bundleID: String?
    /// The device.
    public let uuid: String?
    /// The size of its screen in logical pixels, as the client writes it.
    public let bounds: String?
    /// The version of the client.
    public let xpediteVersion: Int?

    init(_ packet: JSONObject) {
        bundleID = packet["bundleID"]?.string
        uuid = packet["uuid"]?.string
        bounds = packet["bounds"].flatMap { $0.string ?? ($0.isNull ? nil : $0.description) }
        xpediteVersion = packet["xpediteVersion"]?.number?.int64.map { Int($0) }
    }
}
