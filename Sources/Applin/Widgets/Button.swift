public import Backlot

/// A button that performs actions.
///
/// Source: Applin documentation, Widgets, button.
public struct Button: Widget, KeyedObject {
    /// The text on the button; it must hold a symbol other than white space.
    public let text: String
    /// The actions of a tap, run in this order up to the first failure. An empty list disables the button.
    public let actions: [any Action]

    /// `button`
    public var typ: StaticString { "button" }

    static let vocabulary = Kind(Button(text: "", actions: []), "A button that performs actions.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys.buttonText(text)
        keys.buttonActions(actions)
    }
}

/// Makes a ``Button`` with few actions.
///
/// ```swift
/// button("Save", rpc("/save"), pop())
/// ```
public func button(_ text: String, _ first: any Action, _ second: (any Action)? = nil, _ more: any Action...) -> Button
{
    Button(text: text, actions: .init(first, second, more))
}

/// Makes a ``Button``, with `if` and `for` among its actions; with empty braces it is disabled.
///
/// ```swift
/// button("Vote") {
///     if !hasVoted { rpc("/vote") }  // disabled for those who have voted
/// }
/// ```
public func button(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> Button {
    Button(text: text, actions: actions())
}

/// A button that performs actions, designed for forms.
///
/// Source: Applin documentation, Widgets, form_button.
public struct FormButton: Widget, KeyedObject {
    /// The text on the button; it must hold a symbol other than white space.
    public let text: String
    /// The actions of a tap, run in this order up to the first failure. An empty list disables the button.
    public var actions: [any Action] { content.actions }
    private var content: ButtonContent<Align>

    /// `form_button`
    public var typ: StaticString { "form_button" }

    init(text: String, actions: [any Action]) {
        self.text = text
        content = ButtonContent(actions)
    }

    static let vocabulary = Kind(
        FormButton(text: "", actions: []),
        "A button that performs actions, made to stand in a form."
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys.buttonText(text)
        keys("align", content.details?.rawValue).optional(
            "The button's position in the form's width.",
            .align,
            default: "center"
        )
        keys.buttonActions(actions)
    }

    /// Places the button in the form's width. By default, it is in the middle.
    public consuming func align(_ align: Align?) -> FormButton { changing(self) { $0.content.details = align } }
}

/// Makes a ``FormButton`` with few actions.
///
/// ```swift
/// formButton("Save", rpc("/save"), pop()).align(.end)
/// ```
public func formButton(
    _ text: String,
    _ first: any Action,
    _ second: (any Action)? = nil,
    _ more: any Action...
) -> FormButton {
    FormButton(text: text, actions: .init(first, second, more))
}

/// Makes a ``FormButton``, with `if` and `for` among its actions; with empty braces it is disabled.
///
/// ```swift
/// formButton("Vote") {
///     if !hasVoted { rpc("/vote") }  // disabled for those who have voted
/// }
/// ```
public func formButton(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> FormButton {
    FormButton(text: text, actions: actions())
}

/// The back button of a nav page, with other actions than `pop`.
///
/// It isn't a ``Widget``: it can only be a nav page's ``NavPage/start(_:)``. Clients then disable the swipe-back gesture on iOS. If
/// an action fails, the page stays: give people another way out.
///
/// Source: Applin documentation, Widgets, back_button.
public struct BackButton: NavPageStart, KeyedObject {
    /// The actions of a tap, run in this order up to the first failure. An empty list disables the button.
    public let actions: [any Action]
    private var id: String?

    init(actions: [any Action]) { self.actions = actions }

    /// `back_button`
    public var typ: StaticString { "back_button" }

    package var wireName: StaticString { typ }
    package static var roles: [Role] { [.widget] }

    static let vocabulary = Kind(BackButton(actions: []), "The back button of a nav page, with other actions than pop.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.write(self)
        if let id { writer.amendObject { $0.field("id", id) } }
    }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys.buttonActions(actions)
    }

    /// Gives the button an id for tools and tests. Clients ignore it.
    public consuming func id(_ id: String?) -> BackButton { changing(self) { $0.id = id } }
}

/// Makes a ``BackButton`` with few actions.
///
/// ```swift
/// navPage("Note", start: backButton(rpc("/save"), pop())) { text("Saved when you go back.") }
/// ```
public func backButton(_ first: any Action, _ second: (any Action)? = nil, _ more: any Action...) -> BackButton {
    BackButton(actions: .init(first, second, more))
}

/// Makes a ``BackButton``, with `if` and `for` among its actions; with empty braces it is disabled.
///
/// ```swift
/// navPage("Note", start: backButton { if hasChanged { rpc("/save") }; pop() }) { text("Saved if it has changed.") }
/// ```
public func backButton(@ActionListBuilder _ actions: () -> [any Action]) -> BackButton {
    BackButton(actions: actions())
}

extension KeyVisitor where Self: ~Copyable {
    /// The text of a button.
    @inline(__always) mutating func buttonText(_ text: String) {
        self("text", text).required("The text on the button; it must hold a symbol other than white space.")
    }

    /// The actions of a button.
    @inline(__always) mutating func buttonActions(_ actions: [any Action]) {
        self("actions", actions).recommended(
            "The actions of a tap, run in this order up to the first failure; an empty list disables the button.",
            otherwise: []
        )
    }
}
