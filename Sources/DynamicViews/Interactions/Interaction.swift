public import BacklotJSON

/// What somebody has done to a widget.
public struct Interaction: Sendable, Equatable {
    /// What was done.
    public enum Event: Sendable, Equatable {
        /// The widget was tapped.
        case tap
        /// The toggle was switched on, or off.
        case toggle(Bool)
        /// The option with that id was chosen.
        case choice(String)
        /// A purchase was tapped; this is its receipt's id.
        case receipt(String)
        /// More purchases were asked for.
        case more
    }

    /// The kinds of events.
    enum Kind: String, Sendable, CaseIterable {
        case tap, toggle, choice, receipt, more
    }

    /// The widget's id in the document.
    public let widgetID: String
    /// What was tapped inside the widget; also the id that a widget calls itself by, which isn't the document's.
    public let elementID: String?
    /// All that the client said besides.
    public let userInfo: JSONObject
    /// What was done.
    public let event: Event

    var kind: Kind {
        switch event {
        case .tap: .tap
        case .toggle: .toggle
        case .choice: .choice
        case .receipt: .receipt
        case .more: .more
        }
    }
}
