public import BacklotJSON

/// The content of the screen, for the expectations of tests.
extension ApplinClient {
    /// The title of the visible page; nil if it has no title.
    public var title: String? { state.top?.page.title }

    /// The path of the visible page, below the base URL; empty before the launch.
    public var path: String { state.top?.path ?? "" }

    /// The paths of the pages on the stack, the visible one last.
    public var stack: [String] { state.stack.map(\.path) }

    /// The texts on the visible page below its title, from top to bottom: texts and errors, and the texts on buttons, beside
    /// inputs and above sections. The values of inputs aren't included.
    public var texts: [String] { state.top?.page.widgets.flatMap(readableTexts) ?? [] }

    /// The errors on the visible page, from top to bottom: error texts, and the errors beside inputs.
    public var errors: [String] {
        state.top?.page.widgets.compactMap { widget in
            switch widget.typ {
            case "error_text": state.readable(widget.string("text") ?? "")
            case "textfield", "selector": widget.string("error")
            default: nil
            }
        } ?? []
    }

    /// The texts of the buttons that can be tapped: those of the modal if one is open, otherwise those of the page.
    public var buttons: [String] {
        switch state.layer {
        case .photoPicker: []
        case .modal(let modal): modal.buttons.map(\.text)
        case .none:
            state.top?.page.widgets.filter { $0.typ.hasSuffix("button") && !$0.actions.isEmpty }.compactMap(\.label)
                ?? []
        }
    }

    /// The modal in front of the page: its title, its message, and the texts of its buttons; nil without a modal.
    public var modal: (title: String, message: String?, buttons: [String])? {
        guard case .modal(let modal) = state.layer else { return nil }
        return (modal.title, modal.message, modal.buttons.map(\.text))
    }

    /// The ratio of width to height for cropping the requested photo; nil for any.
    public var photoAspectRatio: Double? {
        if case .photoPicker(let upload) = state.layer { upload.aspectRatio } else { nil }
    }

    /// Whether the client asks for a photo.
    public var asksForPhoto: Bool {
        if case .photoPicker = state.layer { true } else { false }
    }

    /// The kind of the visible error page; nil if the visible page isn't an error page.
    public var errorKind: ShownErrorKind? { ShownError.kind(shownBy: path) }

    /// The text of the visible error page: the backend's message to the user, or the error's details; nil without an error page.
    public var errorText: String? { errorKind == nil ? nil : state.lastError?.text }

    /// The text of the last error that was shown, even if its page is closed; nil without an error since the last log-out.
    public var lastErrorText: String? { state.lastError?.text }

    /// The variables that are set. They belong to the app rather than to a page.
    public var variables: [String: JSONValue] { state.variables }

    /// The value that an input of the visible page shows: a text, a choice, or whether it is checked.
    ///
    /// A text field keeps its text while its page is on the stack, even if a refreshed page has a new initial text. See
    /// ``sentValue(of:)``.
    ///
    /// - Parameter name: its label, or its variable's name.
    /// - Returns: nil without such an input.
    public func value(of name: String) -> JSONValue? {
        guard let (widget, input) = shownInput(name) else { return nil }
        return state.shownText(widget).map(JSONValue.string) ?? state.value(of: input)
    }

    /// The value that the visible page's next POST has for an input. It differs from the shown text of a field after `reset_var`,
    /// and if a refreshed page changed the field's initial text or its variable.
    ///
    /// - Parameter name: its label, or its variable's name.
    /// - Returns: nil without such an input.
    public func sentValue(of name: String) -> JSONValue? {
        shownInput(name).map { state.value(of: $0.input) }
    }

    private func shownInput(_ name: String) -> (widget: PageWidget, input: PageInput)? {
        let widgets = state.top?.page.widgets ?? []
        if let widget = widgets.first(where: { $0.label == name && !$0.inputs.isEmpty }) {
            return widget.inputs.first.map { (widget, $0) }
        }
        for widget in widgets {
            if let input = widget.inputs.first(where: { $0.name == name }) { return (widget, input) }
        }
        let widget = widgets.first { $0.string("id") == name }
        return widget.flatMap { widget in widget.inputs.first.map { (widget, $0) } }
    }

    /// Whether a checkbox of the visible page is checked; false without such a checkbox.
    ///
    /// - Parameter name: the text beside it, or its variable's name.
    public func isChecked(_ name: String) -> Bool {
        if let value = value(of: name) { return value.bool ?? false }
        let box = state.top?.page.widgets.first { $0.typ == "checkbox_button" && $0.label == name }
        return box?.object["initial_bool"]?.bool ?? false
    }

    /// The text that was copied last; nil before the first copy.
    public var clipboard: String? { state.clipboard }

    /// The URLs that the app opened outside itself, in order.
    public var launchedURLs: [String] { state.launchedURLs }

    /// The cookies.
    public var cookies: [Cookie] { session.cookies.cookies }

    /// The last request.
    public var lastRequest: RequestRecord? { requests.last }

    /// The screen as an indented tree, with a line for each widget.
    ///
    /// ```
    /// /new_account: nav_page "New Account"
    ///   back_button
    ///   scroll
    ///     form
    ///       textfield "Username" (username): "user1"
    ///       checkbox "I agree" (agree): on
    ///       form_button "Create Account" → rpc /create_account, replace_all /
    /// ```
    public var screen: String { PageDrawing(state).text }

    private func readableTexts(_ widget: PageWidget) -> [String] {
        switch widget.typ {
        case "error_text": [state.readable(widget.string("text") ?? "")]
        case "last_error_text": [state.top?.errorDetails ?? ""]
        case "form_section": widget.string("title").map { [$0] } ?? []
        default: ["label", "text", "sub_text", "badge_text", "error"].compactMap(widget.string)
        }
    }
}
