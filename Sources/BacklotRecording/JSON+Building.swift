import BacklotJSON

extension JSONObject {
    /// The object with the members of another one, which count more.
    func merging(_ other: JSONObject) -> JSONObject {
        other.members.reduce(into: self) { $0[$1.key] = $1.value }
    }
}

extension JSONValue {
    /// A whole number.
    init(_ number: Int) { self = .number(JSONNumber(Int64(number))) }
}
