public import Backlot

/// A widget that is made of others: declared once, used on many pages like any widget, and checked alone in a test.
///
/// ```swift
/// struct PriceTag: Component {
///     let name: String
///     let price: Int
///
///     var body: any Widget {
///         column {
///             text(name)
///             if price == 0 { text("free") } else { text("\(price) kr") }
///         }
///     }
/// }
///
/// formPage("Shop") { for item in items { PriceTag(name: item.name, price: item.price) } }
///
/// #expect(PriceTag(name: "Tea", price: 0).findings() == [])         // in a test
/// ```
/// Clients only see the widgets in `body`.
public protocol Component: Widget {
    /// The widget that it is made of; several go into `column { … }` or `form { … }`.
    @SingleWidgetBuilder var body: any Widget { get }
}

/// Functions with common names of properties. As members, they can still be called beside a property `text`.
extension Component {
    /// Makes a ``Text``.
    public func text(_ text: String) -> Text { Text(text: text) }

    /// Makes an ``Image``.
    public func image(_ url: String, aspectRatio: Double, disposition: Image.Disposition = .cover) -> Image {
        Image(url: url, aspectRatio: aspectRatio, disposition: disposition)
    }

    /// Makes a ``Button``, like the function outside of components.
    public func button(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> Button {
        Button(text: text, actions: actions())
    }

    /// Makes a ``Button`` with few actions.
    public func button(
        _ text: String,
        _ first: any Action,
        _ second: (any Action)? = nil,
        _ more: any Action...
    ) -> Button {
        Button(text: text, actions: .init(first, second, more))
    }

    /// Makes a ``Form``.
    public func form(@WidgetListBuilder _ widgets: () -> [any Widget]) -> Form { Form(widgets: widgets()) }

    /// Makes a ``Column``.
    public func column(@WidgetListBuilder _ widgets: () -> [any Widget]) -> Column { Column(widgets: widgets()) }
}

extension Component {
    /// The name of the component's widget on the wire.
    public var typ: StaticString { body.typ }

    /// The widgets directly inside the component's widget.
    public var children: [any Widget] { body.children }

    /// Writes the component's widget.
    public func encode(into writer: inout JSONWriter) { body.encode(into: &writer) }
}

extension Widget {
    /// The findings for the widget and those inside it, as the only widget of a page; empty without faults.
    ///
    /// Links aren't followed: `check` does that for whole pages. Check a component that belongs into a form there: `form {
    /// PriceTag(…) }.findings()`.
    ///
    /// - Parameters:
    ///   - dialect: The dialect of the app's clients.
    ///   - clients: The oldest client that the app is for; nil checks for the newest of the dialect only.
    ///   - extensions: The widgets and actions that the clients know in addition to Applin's.
    public func findings(
        dialect: Dialect = .objects,
        clients: PartialRangeFrom<ClientVersion>? = nil,
        extensions: [ApplinExtension] = []
    ) -> [Finding] {
        let name = "\(Self.self)"
        return ApplinInspector(dialect: dialect, clients: clients, extensions: extensions)
            .findings(inBody: navPage(name) { self }.responseBody(dialect: dialect), path: "/\(name)", app: nil)
            .map { finding in
                let place = finding.path
                let inWidget = place.pointer.hasPrefix(Self.widgetPointer)
                let pointer = inWidget ? String(place.pointer.dropFirst(Self.widgetPointer.count)) : place.pointer
                return Finding(
                    finding.severity,
                    rule: finding.rule,
                    path: FindingPath(page: name, steps: place.steps, pointer: pointer),
                    message: finding.message,
                    fix: finding.fix,
                    isRejection: finding.isRejection
                )
            }
    }

    /// The place of a page's widget in a response.
    private static var widgetPointer: String { "/page/widget" }
}
