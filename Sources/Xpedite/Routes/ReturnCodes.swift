/// The return codes of responses that report a failure: any code but 0 makes clients show an error dialog.
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
