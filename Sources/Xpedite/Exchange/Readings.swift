/// Where the reference leaves open how packets are read and answers written, and what this project makes of it. Each can be set
/// otherwise, for a client that sees it otherwise.
///
/// Failures are answered with HTTP 200, whatever is set here: to a client, a server with a 5xx may be unreachable, and it would
/// show a cached page.
public struct Readings: Sendable, Equatable {
    /// A place in a packet where a parameter may stand.
    public enum ParameterPlace: Sendable, Equatable {
        /// `parameters.k`
        case parameters
        /// `k` at the top level, unless it is one of `reservedNames`.
        case topLevel
    }

    /// A place in a packet where the value of a tapped row may stand, for the field f that `clickRow` named.
    public enum SelectionPlace: Sendable, Equatable {
        /// `parameters.f`
        case parametersField
        /// `f` at the top level.
        case topLevelField
        /// `selected`
        case selected
        /// `parameters.selected`
        case parametersSelected
    }

    /// What `max` says when there are more rows; only that it is there is defined.
    public enum MaxValue: Sendable, Equatable {
        /// How many rows the answer has.
        case batchSize
        /// How many rows the client has then.
        case rowsSoFar
    }

    /// Where a message stands in a form that comes back; the reference has no key for it.
    public enum MessagePlace: Sendable, Equatable {
        /// In the field's title, after a colon.
        case title
        /// In a section above the field.
        case section
    }

    /// The return codes of failures.
    public var codes = ReturnCodes()
    /// Where parameters are looked for, the first place first.
    public var parameterPlaces: [ParameterPlace] = [.parameters, .topLevel]
    /// The names at a packet's top level that are no parameters.
    public var reservedNames: Set<String> = ["method", "token", "parameters", "formdata", "selected", "navigation"]
    /// Where the value of a tapped row is looked for, the first place first.
    public var selectionPlaces: [SelectionPlace] = [.parametersField, .topLevelField, .selected, .parametersSelected]
    /// Inputs that stand in no form arrive as `formdata[name]`.
    public var readsStandaloneInputs = true
    /// The keys under which a client may say how many rows of a table it has. Without any, it has none: the server keeps no
    /// cursor.
    public var offsetKeys = ["offset", "start", "skip"]
    /// What `max` says.
    public var max = MaxValue.batchSize
    /// "Every response must include" the token: so does one with the rows of a table.
    public var dataHasToken = true
    /// "Every response must include" components: one with the rows of a table needs none.
    public var dataHasComponents = false
    /// A navigation that went out whole in this session and version, with the same content, goes out by its id alone.
    public var sendsNavigationOnce = true
    /// A picture that a page has preloaded is there for later pages of the session too.
    public var preloadsLast = true
    /// A client that sends an unknown token gets it back, because it would drop an answer with another.
    public var echoesUnknownToken = true
    /// Where messages stand in a form that comes back.
    public var messagePlace = MessagePlace.title
    /// Whether a form that comes back holds the passwords that were typed. Other values are always kept.
    public var returnsPasswords = false

    /// This project's readings.
    public init() {}
}
