internal import HTTPTypes

/// A request and its answer, as the connection sees them that carries them.
protocol CarriedExchange: AnyObject {
    var request: OutgoingRequest { get }
    var bounds: ClientBounds { get }
    /// Whether the connection is kept for others.
    var keepsConnection: Bool { get }
    /// When it began, in milliseconds of the loop's clock.
    var began: Int64 { get }
    /// Whether the head of the answer has been handed on.
    var isAnswered: Bool { get }
    /// Whether more of the answer must wait until its reader has caught up.
    var isFull: Bool { get }
    /// Whether the request's body waits until the server asks for it.
    var isBodyHeld: Bool { get }
    /// Whether all of the request has been handed to the connection.
    var isRequestEnded: Bool { get }

    /// The head of the request has been handed to the connection: the body follows.
    func headSent()
    /// Lets the body go, which was held back.
    func releaseBody(wasContinued: Bool)
    func noteFirstByte()
    /// The head of the answer is there.
    ///
    /// - Parameter isWhole: whether `bytes` are all of the body. The connection is done with the exchange then.
    func answered(
        _ response: (status: HTTPResponse.Status, fields: FieldList),
        _ version: StaticString,
        _ bytes: [UInt8],
        isWhole: Bool
    )
    /// More of the answer's body is there.
    ///
    /// - Parameter isWhole: whether it is the end. The connection is done with the exchange then.
    func bodyCame(_ bytes: [UInt8], isWhole: Bool)
    /// There will be no answer, or no more of it.
    ///
    /// - Parameter isUnused: whether the request may be sent again, over a new connection.
    func failed(_ fault: ClientFault, isUnused: Bool)
    /// The connection is done with it.
    func detach()
    /// The server has taken what waited of the request's body.
    func roomMade()
}
