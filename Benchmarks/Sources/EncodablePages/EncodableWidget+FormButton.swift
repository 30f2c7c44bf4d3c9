extension EncodableWidget {
    /// A button that carries out `actions` in turn.
    public struct FormButton: Encodable, Sendable {
        let typ = "form_button"
        let text: String
        let actions: [String]
    }
}
