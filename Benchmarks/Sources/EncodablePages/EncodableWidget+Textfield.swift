extension EncodableWidget {
    /// A line of text to fill in, which a form sends under `varName`.
    public struct Textfield: Encodable, Sendable {
        let typ = "textfield"
        let varName: String
        let label: String

        private enum CodingKeys: String, CodingKey {
            case typ
            case varName = "var_name"
            case label
        }
    }
}
