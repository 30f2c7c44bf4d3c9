/// The return codes of answers that report a failure: anything but 0 makes clients show an error dialog.
///
/// Which number stands for what, the reference leaves open.
public struct ReturnCodes: Sendable, Equatable {
    /// The app refused: what a handler threw.
    public var application = 1
    /// The packet is no JSON object, or names no method.
    public var malformedPacket = 2
    /// There is no session with that token, or it has ended.
    public var unknownToken = 3
    /// No method of that name is registered.
    public var unknownMethod = 4
    /// The app made a page that breaks rules which clients rely on.
    public var brokenPage = 5
    /// The app failed: the log says how.
    public var failure = 6
    /// A form comes back with messages. It is 0, so that nothing but the form is shown.
    public var returnedForm = 0

    /// This project's codes.
    public init() {}
}
