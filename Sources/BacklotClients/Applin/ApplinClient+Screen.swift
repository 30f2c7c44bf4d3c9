public import BacklotJSON

/// What a test can expect of the app, in the words of what a person sees.
extension ApplinClient {
    /// The title of the visible page; nil where it has none.
    public var title: String? { state.top?.page.title }

    /// The path of the visible page, below the base URL; empty before the launch.
    public var path: String { state.top?.path ?? "" }

    /// The paths of the pages on the stack, the visible one last.
    public var stack: [String] { state.stack.map(\.path) }

    /// Every text that stands on the visible page below its title, in its order: of texts and errors, on buttons, beside
    /// inputs, above sections. The values of inputs are not among them.
    public var texts: [String] { state.top?.page.widgets.flatMap(readableTexts) ?? [] }

    /// The errors that stand on the visible page, in its order: of error texts, and beside inputs.
    public var errors: [String] {
        state.top?.page.widgets.compactMap { widget in
            switch widget.typ {
            case "error_text": state.readable(widget.string("text") ?? "")
            case "textfield", "selector": widget.string("error")
            default: nil
            }
        } ?? []
    }

    /// The texts of the buttons that can be tapped: the modal's where one is shown, else the page's.
    public var buttons: [String] {
        switch state.layer {
        case .photoPicker: []
        case .modal(let modal): modal.buttons.map(\.text)
        case .none:
            state.top?.page.widgets.filter { $0.typ.hasSuffix("button") && !$0.actions.isEmpty }.compactMap(\.label)
                ?? []
        }
    }

    /// The modal in front of the page: its title, its message, and the texts of its buttons. nil without a modal.
    public var modal: (title: String, message: String?, buttons: [String])? {
        guard case .modal(let modal) = state.layer else { return nil }
        return (modal.title, modal.message, modal.buttons.map(\.text))
    }

    /// The width divided by the height to which the photo that the client asks for will be cut; nil for any.
    public var photoAspectRatio: Double? {
        if case .photoPicker(let upload) = state.layer { upload.aspectRatio } else { nil }
    }

    /// Whether the client asks for a photo.
    public var asksForPhoto: Bool {
        if case .photoPicker = state.layer { true } else { false }
    }

    /// The kind of the error whose page is visible; nil when no error page is.
    public var errorKind: ShownErrorKind? { ShownError.kind(shownBy: path) }

    /// The text of the error whose page is visible: what the backend told the user, or the error's details. nil where no
    /// error is visible.
    public var errorText: String? { errorKind == nil ? nil : state.lastError?.text }

    /// The text of the last error that was shown, also when its page has gone; nil for none since the log-out.
    public var lastErrorText: String? { state.lastError?.text }

    /// The variables that are set. They belong to the app, not to a page.
    public var variables: [String: JSONValue] { state.variables }

    /// What an input of the visible page shows: a text, a choice, or whether it is checked.
    ///
    /// A text field keeps its text while its page is on the stack, whatever the page says anew: see ``sentValue(of:)``.
    ///
    /// - Parameter name: its label, or its variable's name.
    /// - Returns: nil where there is no such input.
    public func value(of name: String) -> JSONValue? {
        guard let (widget, input) = shownInput(name) else { return nil }
        return state.shownText(widget).map(JSONValue.string) ?? state.value(of: input)
    }

    /// What the visible page's next POST says for an input. It differs from what a text field shows after `reset_var`, and where
    /// a refreshed page has another initial text for the field, or another variable instead of the field's.
    ///
    /// - Parameter name: its label, or its variable's name.
    /// - Returns: nil where there is no such input.
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

    /// Whether a checkbox of the visible page is checked; false also where there is no such checkbox.
    ///
    /// - Parameter name: the text beside it, or its variable's name.
    public func isChecked(_ name: String) -> Bool {
        if let value = value(of: name) { return value.bool ?? false }
        let box = state.top?.page.widgets.first { $0.typ == "checkbox_button" && $0.label == name }
        return box?.object["initial_bool"]?.bool ?? false
    }

    /// The text that was copied last; nil before the first.
    public var clipboard: String? { state.clipboard }

    /// The URLs that were handed to the device, in their order.
    public var launchedURLs: [String] { state.launchedURLs }

    /// The cookies.
    public var cookies: [Cookie] { session.cookies.cookies }

    /// The last request.
    public var lastRequest: RequestRecord? { requests.last }

    /// What is on the screen, drawn as an indented tree: a line for each widget.
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
