extension EncodableWidget {
    /// A column of widgets.
    public struct Form: Encodable, Sendable {
        let typ = "form"
        let widgets: [EncodableWidget]
    }
}
