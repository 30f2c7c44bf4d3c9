package import Backlot

/// Every page, widget and action that clients know.
///
/// Source: Applin documentation, and the measured behaviour of released clients.
package enum ApplinVocabulary {
    /// Each kind is declared beside the type that writes it.
    package static let all = Vocabulary(
        [
            PageResponse.vocabulary, NavPage.vocabulary, PlainPage.vocabulary,

            BackButton.vocabulary, Button.vocabulary, Checkbox.vocabulary, CheckboxButton.vocabulary, Column.vocabulary,
            Empty.vocabulary, ErrorText.vocabulary, Form.vocabulary, FormButton.vocabulary, FormSection.vocabulary,
            GroupedRowTable.vocabulary, Image.vocabulary, LastErrorText.vocabulary, NavButton.vocabulary,
            Scroll.vocabulary, Selector.vocabulary, Text.vocabulary, TextField.vocabulary,

            ChoosePhoto.vocabulary, CopyToClipboard.vocabulary, LaunchURL.vocabulary, Logout.vocabulary,
            Modal.vocabulary, ModalButton.vocabulary, OnUserErrorPoll.vocabulary, Poll.vocabulary, Pop.vocabulary,
            Push.vocabulary, ReplaceAll.vocabulary, ResetVar.vocabulary, RPC.vocabulary, StopActions.vocabulary,
            TakePhoto.vocabulary,
        ],
        for: Dialect.allCases.map(\.audience),
        refusal: "reject the whole page",
        // Clients decode pages and widgets into one type, and actions into another.
        shared: [SharedKeys([.page, .widget], leftovers: leftovers), SharedKeys([.action])],
        anywhere: [id],
        swiftSource: { document throws(DocumentError) in try PageSource.source(of: document) }
    )

    /// Whether Applin itself has an action.
    package static func hasAction(_ typ: String) -> Bool { all.kind(typ, as: .action) != nil }

    /// Whether clients read a key of a widget. Widgets of an app's own clients may have any key.
    package static func reads(_ key: String, of widget: String) -> Bool {
        all.kind(widget, as: .widget)?.keys.contains { $0.name == key } ?? true
    }

    /// The members of a page, widget or action that a client reads. The client's vocabulary may be smaller than today's.
    package static func members(of object: JSONObject, _ typ: String, readBy client: ClientVersion) -> JSONObject {
        guard let kind = [.page, .widget, .action].lazy.compactMap({ all.kind(typ, as: $0) }).first else {
            return object
        }
        let audience = Dialect(of: client).audience.narrowed(to: client...client)
        let unread = kind.keys.filter { !$0.support.covers(audience) && object[$0.name] != nil }.map(\.name)
            .filter { kind.key($0, for: audience) == nil }
        guard !unread.isEmpty else { return object }
        var object = object
        for name in unread { object[name] = nil }
        return object
    }

    /// Keys of widgets that clients still decode, but no longer use.
    private static let leftovers =
        [id] + ["check_rpc", "rpc"].map { Key.unwritten($0, .string, "Not used any more.") }
        + ["cache", "is_cancel", "is_default", "is_destructive"].map { .unwritten($0, .bool, "Not used any more.") }
        + ["height", "max_height", "max_width", "min_height", "min_width", "width"]
        .map { .unwritten($0, .float, "Not used any more.") }
}

extension Role {
    /// The body of a response.
    static let response = Role("answer", hasStep: false)
    static let page = Role("page", .key("typ"), example: "nav_page", hasStep: false)
    static let widget = Role("widget", .key("typ"), labels: ["var_name", "text", "title"], example: "text")
    static let modalButton = Role("button", labels: ["text"])

    /// In the documented dialect, an action is a string.
    static let action = Role(
        "action",
        .key("typ"),
        labels: ["title", "var_name"],
        example: "push",
        unknownRule: "unknown-action",
        readText: { ActionForm.object(of: $0, among: $1) }
    )
}

extension ValueType {
    /// A 32-bit unsigned integer.
    static let unsigned = integer(0...Int64(UInt32.max))
}

extension Dialect {
    /// The clients that speak the dialect.
    package var versions: ClosedRange<ClientVersion> {
        switch self {
        case .documented: "0.0"..."0.30"
        case .objects: "0.31"..."0.40"
        }
    }

    /// The dialect that a client speaks.
    package init(of version: ClientVersion) {
        self = version < Dialect.objects.versions.lowerBound ? .documented : .objects
    }

    /// The clients of an app: those from a version on; nil for the newest ones of the dialect.
    package func audience(since version: ClientVersion?) -> Audience {
        guard let version else { return audience }
        let newest = versions.upperBound
        return audience.narrowed(to: min(max(version, versions.lowerBound), newest)...newest)
    }

    /// The newest clients that speak the dialect.
    package var audience: Audience {
        switch self {
        case .documented:
            Audience(
                dialect: rawValue,
                versions: "0.30"..."0.30",
                noun: "clients up to 0.30 (the documented dialect)",
                advice: "serve the app in the documented dialect"
            )
        case .objects:
            Audience(
                dialect: rawValue,
                versions: "0.40"..."0.40",
                noun: "clients since 0.31 (the objects dialect)",
                advice: "serve the app in the objects dialect"
            )
        }
    }
}
