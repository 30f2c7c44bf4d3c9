extension EncodableWidget {
    /// A box to tick, whose value a form sends under `varName`.
    public struct Checkbox: Encodable, Sendable {
        let typ = "checkbox"
        let varName: String
        let text: String

        private enum CodingKeys: String, CodingKey {
            case typ
            case varName = "var_name"
            case text
        }
    }
}
