import A2UI
import Backlot

// The components of the basic catalog. The catalog says what each property means.

/// The style of a text. Headings become Markdown for clients of 1.0.
public enum TextStyle: String, Sendable, CaseIterable {
    case h1, h2, h3, h4, h5, caption, body

    fileprivate var heading: Int? { rawValue.first == "h" ? Int(rawValue.dropFirst()) : nil }
}

/// The distribution of components along a row or a column.
public enum Justification: String, Sendable { case start, center, end, spaceBetween, spaceAround, spaceEvenly, stretch }

/// The alignment of components across a row, a column or a list.
public enum Alignment: String, Sendable { case start, center, end, stretch }

/// A direction.
public enum Axis: String, Sendable { case vertical, horizontal }

/// The way that a picture fills its frame.
public enum ImageFit: String, Sendable { case contain, cover, fill, none, scaleDown }

/// The size of a picture.
public enum ImageStyle: String, Sendable {
    case icon, avatar, smallFeature, mediumFeature, largeFeature, header
}

/// The style of a button.
public enum ButtonStyle: String, Sendable { case primary, borderless }

/// The kind of a text field. Numbers are still texts in the model.
public enum TextFieldStyle: String, Sendable { case shortText, longText, number, obscured }

/// The style of a choice.
public enum ChoiceStyle: String, Sendable { case checkbox, chips }

/// Makes a text in simple Markdown.
///
/// ```swift
/// text("Visits of \(m.name)", .h2)
/// ```
public func text(_ text: Dynamic<String>, _ style: TextStyle? = nil) -> Element {
    guard let style, let heading = style.heading else {
        return Element("Text", .present([("text", text.term), ("variant", style?.term)]))
    }
    let markdown = Term.text([.literal(.string(String(repeating: "#", count: heading) + " ")), text.term])
    return Element(
        "Text",
        [Entry("text", .versions(text.term, markdown)), Entry("variant", .versions(style.term, nil))]
    )
}

/// Makes a text of a variable.
///
/// ```swift
/// for name in names { _ = text(verbatim: name) }
/// ```
public func text(verbatim string: String, _ style: TextStyle? = nil) -> Element { text(Dynamic(string), style) }

/// Makes a picture. The description is for people who don't see it.
///
/// ```swift
/// image("https://example.com/bell.png", description: "Dr Bell", .avatar)
/// ```
public func image(
    _ url: Dynamic<String>,
    description: Dynamic<String>? = nil,
    fit: ImageFit? = nil,
    _ style: ImageStyle? = nil
) -> Element {
    Element(
        "Image",
        .present([("url", url.term), ("description", description?.term), ("fit", fit?.term), ("variant", style?.term)])
    )
}

/// Makes a symbol by one of the catalog's names, such as `calendarToday`.
///
/// ```swift
/// icon("check")
/// ```
public func icon(_ name: Dynamic<String>) -> Element { Element("Icon", [Entry("name", name.term)]) }

/// Makes a symbol from a path, as in SVG.
///
/// ```swift
/// icon(svgPath: "M 0 0 L 24 12 L 0 24 Z")
/// ```
public func icon(svgPath: Dynamic<String>) -> Element {
    Element("Icon", [Entry("name", .object([Entry("svgPath", svgPath.term)]))])
}

/// Makes a video. The poster reaches clients of 1.0 only.
///
/// ```swift
/// video("https://example.com/tour.mp4", poster: "https://example.com/door.png")
/// ```
public func video(_ url: Dynamic<String>, poster: Dynamic<String>? = nil) -> Element {
    Element("Video", .present([("url", url.term), ("posterUrl", (poster?.term).map { .versions(nil, $0) })]))
}

/// Makes a sound.
///
/// ```swift
/// audioPlayer("https://example.com/greeting.mp3", description: "A greeting")
/// ```
public func audioPlayer(_ url: Dynamic<String>, description: Dynamic<String>? = nil) -> Element {
    Element("AudioPlayer", .present([("url", url.term), ("description", description?.term)]))
}

/// Makes components side by side.
///
/// ```swift
/// row(justify: .spaceBetween) {
///     text(m.name).weight(1)
///     button("More", more.event())
/// }
/// ```
public func row(
    justify: Justification? = nil,
    align: Alignment? = nil,
    @ElementBuilder _ children: () -> [PlacedElement]
) -> Element { container("Row", .children(children()), [("justify", justify?.term), ("align", align?.term)]) }

/// Makes a row of components, one for each element of a list.
///
/// ```swift
/// row(m.slots) { slot in text(slot.id) }
/// ```
public func row<Item>(
    _ list: Dynamic<[Item]>,
    justify: Justification? = nil,
    align: Alignment? = nil,
    _ template: (Dynamic<Item>) -> Element
) -> Element { container("Row", list.template(template), [("justify", justify?.term), ("align", align?.term)]) }

/// Makes components below each other.
///
/// ```swift
/// column(align: .stretch) {
///     text("A visit", .h1)
///     textField("Name", value: m.name)
/// }
/// ```
public func column(
    justify: Justification? = nil,
    align: Alignment? = nil,
    @ElementBuilder _ children: () -> [PlacedElement]
) -> Element { container("Column", .children(children()), [("justify", justify?.term), ("align", align?.term)]) }

/// Makes a column of components, one for each element of a list.
///
/// ```swift
/// column(m.slots) { slot in text("Slot \(slot.id)") }
/// ```
public func column<Item>(
    _ list: Dynamic<[Item]>,
    justify: Justification? = nil,
    align: Alignment? = nil,
    _ template: (Dynamic<Item>) -> Element
) -> Element { container("Column", list.template(template), [("justify", justify?.term), ("align", align?.term)]) }

/// Makes components that scroll.
///
/// ```swift
/// list(.horizontal) {
///     for name in names { text(verbatim: name) }
/// }
/// ```
public func list(
    _ direction: Axis? = nil,
    align: Alignment? = nil,
    @ElementBuilder _ children: () -> [PlacedElement]
) -> Element { container("List", .children(children()), [("direction", direction?.term), ("align", align?.term)]) }

/// Makes components that scroll, one for each element of a list.
///
/// ```swift
/// list(m.slots) { slot in
///     button("Take \(slot.id)", take.event { $0.id = slot.id })
/// }
/// ```
///
/// Paths in the template lead from the element, or from the model. Those of an outer list can't be reached.
public func list<Item>(
    _ list: Dynamic<[Item]>,
    _ direction: Axis? = nil,
    align: Alignment? = nil,
    _ template: (Dynamic<Item>) -> Element
) -> Element { container("List", list.template(template), [("direction", direction?.term), ("align", align?.term)]) }

private func container(_ type: String, _ children: Term, _ entries: [(String, Term?)]) -> Element {
    Element(type, [Entry("children", children)] + .present(entries))
}

extension Dynamic {
    fileprivate func template<Item>(_ template: (Dynamic<Item>) -> Element) -> Term where Value == [Item] {
        guard case .path(let path) = term else { return .mistake("a template needs a list of the model") }
        return .template(template(Dynamic<Item>(term: .path(path.element))), path)
    }
}

/// Makes a frame around a component.
///
/// ```swift
/// card { text("Yours: \(m.name)") }
/// ```
public func card(_ child: () -> Element) -> Element { Element("Card", [Entry("child", .child(child()))]) }

/// Makes one of several components visible, by the titles of all.
///
/// ```swift
/// tabs((title: "Slots", child: list(m.slots) { text($0.id) }), (title: "Help", child: text("Call us.")))
/// ```
public func tabs(_ tabs: (title: Dynamic<String>, child: Element)...) -> Element {
    let entries = tabs.map { Term.object([Entry("title", $0.title.term), Entry("child", .child($0.child))]) }
    return Element("Tabs", [Entry("tabs", .list(entries))])
}

/// Makes a component that a tap on another one opens. No message opens or closes it.
///
/// ```swift
/// modal { text("What to bring") } content: { text("Your card, and a pen.") }
/// ```
public func modal(trigger: () -> Element, content: () -> Element) -> Element {
    Element("Modal", [Entry("trigger", .child(trigger())), Entry("content", .child(content()))])
}

/// Makes a line.
///
/// ```swift
/// divider(.horizontal)
/// ```
public func divider(_ axis: Axis? = nil) -> Element { Element("Divider", .present([("axis", axis?.term)])) }

/// Makes a button with a text.
///
/// ```swift
/// button("More", more.event(), .primary).check(.required(m.name), "Please give your name.")
/// ```
public func button(_ title: Dynamic<String>, _ action: ElementAction, _ style: ButtonStyle? = nil) -> Element {
    button(action, style) { text(title) }
}

/// Makes a button.
///
/// ```swift
/// button(more.event()) { icon("add") }.accessibility(label: "More")
/// ```
public func button(_ action: ElementAction, _ style: ButtonStyle? = nil, _ child: () -> Element) -> Element {
    Element("Button", .present([("child", .child(child())), ("action", action.term), ("variant", style?.term)]))
}

/// Makes an input for text. The placeholder reaches clients of 1.0 only.
///
/// ```swift
/// textField("Name", value: m.name, placeholder: "Ada").check(.length(m.name, 1...80), "1 to 80 letters, please.")
/// ```
public func textField(
    _ label: Dynamic<String>,
    value: Dynamic<String>,
    _ style: TextFieldStyle? = nil,
    placeholder: Dynamic<String>? = nil
) -> Element {
    let shown = (placeholder?.term).map { Term.versions(nil, $0) }
    return Element(
        "TextField",
        .present([("label", label.term), ("value", value.term), ("variant", style?.term), ("placeholder", shown)])
    )
}

/// Makes an input for yes or no.
///
/// ```swift
/// checkBox("The list is full", value: m.isFull)
/// ```
public func checkBox(_ label: Dynamic<String>, value: Dynamic<Bool>) -> Element {
    Element("CheckBox", [Entry("label", label.term), Entry("value", value.term)])
}

/// Makes an input for one or several of some options. Its value is a list in both cases.
///
/// ```swift
/// choicePicker("Doctor", value: m.doctors, options: ["ito": "Dr Ito", "bell": "Dr Bell"], .chips)
/// ```
///
/// - Parameters:
///   - options: the values, each with its text.
///   - isMultiple: whether several may be chosen.
///   - isFilterable: whether options can be searched.
public func choicePicker(
    _ label: Dynamic<String>? = nil,
    value: Dynamic<[String]>,
    options: KeyValuePairs<String, Dynamic<String>>,
    isMultiple: Bool = false,
    _ style: ChoiceStyle? = nil,
    isFilterable: Bool = false
) -> Element {
    let options = options.map {
        Term.object([Entry("label", $0.value.term), Entry("value", .literal(.string($0.key)))])
    }
    return Element(
        "ChoicePicker",
        .present([
            ("label", label?.term), ("value", value.term), ("options", .list(options)),
            ("variant", isMultiple ? .literal("multipleSelection") : nil), ("displayStyle", style?.term),
            ("filterable", isFilterable ? .literal(true) : nil),
        ])
    )
}

/// Makes an input for a number in a range. The number of steps reaches clients of 1.0 only.
///
/// ```swift
/// slider("Pain", value: m.pain, 0...10, steps: 10)
/// ```
public func slider<Number>(
    _ label: Dynamic<String>? = nil,
    value: Dynamic<Number>,
    _ range: ClosedRange<Double>,
    steps: Int? = nil
) -> Element {
    Element(
        "Slider",
        .present([
            ("label", label?.term), ("value", value.term), ("min", Dynamic(range.lowerBound).term),
            ("max", Dynamic(range.upperBound).term), ("steps", steps.map { .versions(nil, Dynamic($0).term) }),
        ])
    )
}

/// The parts of a point in time that an input takes.
public enum DateTimeParts: Sendable { case date, time, dateAndTime }

/// Makes an input for a date, a time or both, in the form of ISO 8601. An empty text stands for no date yet.
///
/// ```swift
/// dateTimeInput("Day", value: m.day, .date, min: "2026-01-01")
/// ```
public func dateTimeInput(
    _ label: Dynamic<String>? = nil,
    value: Dynamic<String>,
    _ parts: DateTimeParts,
    min: Dynamic<String>? = nil,
    max: Dynamic<String>? = nil
) -> Element {
    Element(
        "DateTimeInput",
        .present([
            ("label", label?.term), ("value", value.term), ("enableDate", parts == .time ? nil : .literal(true)),
            ("enableTime", parts == .date ? nil : .literal(true)), ("min", min?.term), ("max", max?.term),
        ])
    )
}
