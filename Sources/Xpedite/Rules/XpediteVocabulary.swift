package import Backlot

/// Every object of a response that clients know.
///
/// Source: Xpedite API reference.
package enum XpediteVocabulary {
    /// Each kind is declared beside the type that writes it.
    package static let all = Vocabulary(
        [
            Packet.vocabulary, RowsPacket.vocabulary, Disposition.vocabulary, Defaults.vocabulary, Preload.vocabulary,

            Label.vocabulary, Image.vocabulary, Button.vocabulary, TextBox.vocabulary, Password.vocabulary,
            ScrollView.vocabulary, Web.vocabulary, Table.vocabulary, Form.vocabulary, Navigation.vocabulary,

            Section.vocabulary, TextView.vocabulary, Checkbox.vocabulary, DateField.vocabulary, Select.vocabulary,
            Radio.vocabulary,

            TableData.vocabulary, CellColumn.vocabulary, HeaderColumn.vocabulary, Implementation.vocabulary,
            Effects.vocabulary, MenuEntry.vocabulary, MethodCall.vocabulary, Size.vocabulary,
        ],
        for: [audience],
        refusal: "can't read it",
        refusesWhole: false
    )

    /// All clients, since the reference doesn't distinguish versions.
    package static let audience = Audience(
        dialect: "xpedite",
        noun: "Xpedite clients",
        advice: "serve the app to Xpedite clients"
    )
}
