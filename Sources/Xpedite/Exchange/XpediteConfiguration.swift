public import Backlot

/// The settings of an app.
public struct XpediteConfiguration: Sendable {
    /// How long a session lives without a packet: ten years.
    ///
    /// "The mobile app can remain running long after your web server session expires", so a session lives longer than the app
    /// runs. A client whose session has ended must begin again with `setConnection`.
    public var sessionLife = Duration.seconds(10 * 365 * 86_400)
    /// The most sessions in which nobody is logged in.
    public var sessionLimits = SessionLimits()
    /// The clock that ends sessions.
    public var clock = SessionClock.system
    /// The largest packet, in bytes.
    public var packetLimit = 1 << 20
    /// The most bytes of forms that a session keeps, to check the values that come back: 32 KB. Values of larger forms aren't
    /// checked.
    public var formLimit = 32 * 1024
    /// The readings of the reference's gaps about packets and answers.
    public var readings = ExchangeReadings()
    /// The readings of the reference's gaps about pages.
    public var rules = XpediteRuleReadings()
    /// What becomes of a page that breaks rules.
    public var validation = Validation.automatic

    /// The default configuration.
    public init() {}
}

/// How many sessions without a log-in clients may begin, in one process. With one more, the oldest in which no method was called
/// ends, or else the oldest.
///
/// Addresses are `Request.clientAddress`, of IPv6 the first 64 bits: behind proxies that the server doesn't trust
/// (`ServerConfiguration.trustedProxies`) all clients seem to share one.
public struct SessionLimits: Sendable {
    /// The most sessions of one device, which says its `uuid` when it connects, from one address.
    public var perDevice = 4
    /// The most sessions from one address. Many devices may share it.
    public var perAddress = 1000

    /// The default limits.
    public init() {}
}

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

/// The return codes of answers that report a failure: anything but 0 makes clients show an error dialog.
///
/// The reference leaves the numbers open.
public struct ReturnCodes: Sendable, Equatable {
    /// The app refused: a handler threw an error.
    public var application = 1
    /// The packet isn't a JSON object, or has no method.
    public var malformedPacket = 2
    /// The token is unknown, or its session has ended.
    public var unknownToken = 3
    /// The method isn't registered.
    public var unknownMethod = 4
    /// The app's page breaks rules that clients rely on.
    public var brokenPage = 5
    /// The app failed; the log has the details.
    public var failure = 6
    /// A form is returned with messages. It is 0, so that clients show the form and no dialog.
    public var returnedForm = 0

    /// This project's codes.
    public init() {}
}
