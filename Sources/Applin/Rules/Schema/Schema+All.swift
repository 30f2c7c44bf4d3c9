/// Every kind that clients know.
extension Schema {
    static let pages = index([navPage, plainPage])

    static let widgets = index([
        backButton, button, checkbox, checkboxButton, column, empty, errorText, form, formButton, formSection,
        groupedRowTable, image, lastErrorText, navButton, scroll, selector, text, textfield,
    ])

    static let actions = index([
        choosePhoto, copyToClipboard, launchUrl, logout, modal, onUserErrorPoll, poll, pop, push, replaceAll, resetVar,
        rpc, stopActions, takePhoto,
    ])

    private static func index(_ schemas: [Schema]) -> [String: Schema] {
        Dictionary(uniqueKeysWithValues: schemas.map { ($0.typ, $0) })
    }
}
