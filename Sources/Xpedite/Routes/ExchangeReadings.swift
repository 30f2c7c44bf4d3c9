/// This project's readings of the reference's gaps about packets and answers. Each can be changed, for a client that differs.
///
/// Failures are answered with HTTP 200 in any case: a client may take a server with a 5xx for unreachable, and show a cached page.
public struct ExchangeReadings: Sendable, Equatable {
    /// A place in a packet where a parameter may stand.
    public enum ParameterPlace: Sendable, Equatable {
        /// `parameters.k`
        case parameters
        /// `k` at the top level, unless it is one of `reservedNames`.
        case topLevel
    }

    /// A place in a packet where the value of a tapped row may stand, for the field `f` that `clickRow` named.
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

    /// The value of `max` when there are more rows. The reference defines only its presence.
    public enum MaxValue: Sendable, Equatable {
        /// The number of rows in the answer.
        case batchSize
        /// The number of rows that the client has with the answer.
        case rowsSoFar
    }

    /// The place of a message in a returned form; the reference has no key for it.
    public enum MessagePlace: Sendable, Equatable {
        /// In the field's title, after a colon.
        case title
        /// In a section above the field.
        case section
    }

    /// The return codes of failures.
    public var codes = ReturnCodes()
    /// The places of parameters, the preferred one first.
    public var parameterPlaces: [ParameterPlace] = [.parameters, .topLevel]
    /// The names at a packet's top level that aren't parameters.
    public var reservedNames: Set<String> = ["method", "token", "parameters", "formdata", "selected", "navigation"]
    /// The places of a tapped row's value, the preferred one first.
    public var selectionPlaces: [SelectionPlace] = [.parametersField, .topLevelField, .selected, .parametersSelected]
    /// Whether inputs outside of forms arrive as `formdata[name]`.
    public var readsStandaloneInputs = true
    /// The keys under which a client may send the number of rows that it has of a table. Without such a key the number is 0: the
    /// server keeps no cursor.
    public var offsetKeys = ["offset", "start", "skip"]
    /// The value of `max` when there are more rows.
    public var max = MaxValue.batchSize
    /// Whether an answer with the rows of a table includes the token, as "every response must".
    public var dataHasToken = true
    /// Whether an answer with the rows of a table includes components, as "every response must".
    public var dataHasComponents = false
    /// Whether a navigation goes out by its id alone once it went out whole, with the same content, in this session and version.
    public var sendsNavigationOnce = true
    /// Whether later pages of the session can show the pictures that a page has preloaded.
    public var preloadsLast = true
    /// Whether a client that sends an unknown token gets it back, because it drops an answer with another token.
    public var echoesUnknownToken = true
    /// The place of messages in a returned form.
    public var messagePlace = MessagePlace.title
    /// Whether a returned form holds the passwords that were typed. Other values are always kept.
    public var returnsPasswords = false

    /// This project's readings.
    public init() {}
}
