/// A widget of one of several types, encoded as that type's own object.
public indirect enum EncodableWidget: Encodable, Sendable {
    case checkbox(Checkbox)
    case form(Form)
    case formButton(FormButton)
    case navButton(NavButton)
    case navPage(NavPage)
    case scroll(Scroll)
    case textfield(Textfield)

    /// Encodes the widget itself; the case leaves no trace in the JSON.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .checkbox(let widget): try widget.encode(to: encoder)
        case .form(let widget): try widget.encode(to: encoder)
        case .formButton(let widget): try widget.encode(to: encoder)
        case .navButton(let widget): try widget.encode(to: encoder)
        case .navPage(let widget): try widget.encode(to: encoder)
        case .scroll(let widget): try widget.encode(to: encoder)
        case .textfield(let widget): try widget.encode(to: encoder)
        }
    }
}
