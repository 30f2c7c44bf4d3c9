/// This project's interpretations of points about packets and responses that the reference leaves open. You can change each of them
/// for a different client.
///
/// Failures always have the status 200: with a 5xx, a client could think that the server is unreachable, and show a cached page.
public struct ExchangeReadings: Sendable, Equatable {
    /// The possible places of a parameter in a packet.
    public enum ParameterPlace: Sendable, Equatable {
        /// `parameters.k`
        case parameters
        /// `k` at the top level, unless it is one of `reservedNames`.
        case topLevel
    }

    /// The possible places of the tapped row's value in a packet, for the field `f` in `clickRow`.
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
        /// The number of rows in the response.
        case batchSize
        /// The number of rows that the client has after the response.
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
    /// The keys that a client may use for the number of rows that it has of a table. Without such a key the number is 0: the server
    /// keeps no cursor.
    public var offsetKeys = ["offset", "start", "skip"]
    /// The value of `max` when there are more rows.
    public var max = MaxValue.batchSize
    /// Whether a response with the rows of a table includes the token, as "every response must".
    public var dataHasToken = true
    /// Whether a response with the rows of a table includes components, as "every response must".
    public var dataHasComponents = false
    /// Whether only the id of a navigation is sent after the complete one, while content, session and version stay the same.
    public var sendsNavigationOnce = true
    /// Whether later pages of the session can show the pictures that a page has preloaded.
    public var preloadsOutlivePages = true
    /// Whether a client that sends an unknown token gets it back, since it drops a response with another token.
    public var echoesUnknownToken = true
    /// The place of messages in a returned form.
    public var messagePlace = MessagePlace.title
    /// Whether a returned form contains the typed passwords. Other values are always kept.
    public var returnsPasswords = false

    /// This project's readings.
    public init() {}
}
