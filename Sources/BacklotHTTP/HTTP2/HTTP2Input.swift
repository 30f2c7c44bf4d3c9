/// Decides about the frames and header lists of a client while the library reads them. A value without I/O.
struct HTTP2Input {
    /// The header list that is being read, and the number of its stream.
    enum HeaderBlock: Equatable {
        case request(Int32)
        /// Includes the number of bytes so far.
        case trailers(Int32, Int)
    }

    /// The decision about a header field.
    enum FieldVerdict: Equatable {
        case accepted
        /// The trailers of this stream are too large: its request fails.
        case trailersTooLarge(Int32)
        /// The list is an attack: the connection ends.
        case attack
    }

    private let limits: ServerConfiguration.Limits
    private(set) var list: HeaderList
    private(set) var block: HeaderBlock?
    /// The time when the current header list began, in milliseconds of the loop's clock.
    private(set) var blockBegan: Int64?
    /// The bytes of the reads that brought the list, except the first read.
    private(set) var blockSize = 0
    private var heads = FrameHeads()
    private(set) var numbers = StreamNumbers()
    private(set) var budget = FrameBudget()
    /// Whether the current DATA frame has brought a byte.
    private var hasData = false
    /// The highest stream number that the client has used.
    var newest: Int32 { numbers.highest }
    /// The reason to end the connection.
    private(set) var failure: HTTP2ErrorCode?
    /// The client sent too many frames of this kind.
    private(set) var excess: FrameBudget.Kind?

    init(limits: ServerConfiguration.Limits) {
        self.limits = limits
        list = HeaderList(limits: limits)
    }

    // MARK: Frames

    /// The head of the next DATA frame in `bytes`: the library doesn't report frames on streams that it has forgotten.
    ///
    /// - Parameter position: the index to start at; afterwards the end of the head.
    /// - Returns: the head and the number of its stream; nil if `bytes` end before a complete head of a DATA frame.
    mutating func nextData(
        in bytes: Span<UInt8>,
        from position: inout Int
    ) -> (header: HTTP2FrameHeader, stream: Int32)? {
        while let head = heads.next(in: bytes, from: &position) {
            if head.header.type == HTTP2FrameHeader.data { return head }
        }
        return nil
    }

    /// Whether the library may read a HEADERS or DATA frame; if not, `failure` has the reason.
    ///
    /// - Parameter isOpen: whether the library knows the frame's stream.
    mutating func mayRead(_ header: HTTP2FrameHeader, _ id: Int32, isOpen: @autoclosure () -> Bool) -> Bool {
        end(numbers.refusal(of: header.type, on: id, isOpen: isOpen()))
    }

    /// Whether a frame may begin; if not, `failure` has the reason.
    ///
    /// - Parameters:
    ///   - isOfUse: whether the frame's stream has been of use, so that its reset doesn't count.
    ///   - now: milliseconds of a clock that never jumps.
    mutating func frameBegan(_ header: HTTP2FrameHeader, isOfUse: Bool = false, at now: Int64) -> Bool {
        hasData = false
        if isOfUse, header.type == HTTP2FrameHeader.resetStream { return true }
        return header.budgetKind.map { spend($0, at: now) } ?? true
    }

    /// Whether a DATA frame may end; if not, `failure` has the reason.
    mutating func dataEnded(_ header: HTTP2FrameHeader, at now: Int64) -> Bool {
        hasData || header.length == 0 || header.endsStream || spend(.emptyData, at: now)
    }

    /// A DATA frame brings bytes.
    mutating func dataCame(_ count: Int) {
        hasData = true
        if count >= FrameBudget.fullFrame { budget.dataExchanged() }
    }

    /// The server has sent a DATA frame of the size that it wanted.
    mutating func dataSent() { budget.dataExchanged() }

    /// The library resets a stream.
    ///
    /// - Parameter isWindowBroken: whether the client has opened the stream's window too far; nil without the stream.
    /// - Returns: false after too many resets for the client's mistakes, and when the error concerns the whole connection.
    mutating func resetSent(_ code: HTTP2ErrorCode, isWindowBroken: Bool?, at now: Int64) -> Bool {
        // Either a setting has opened the windows of all streams too far (RFC 9113, section 6.9.2), or the client has sent more than a
        // window allows.
        if code == .flowControlError, isWindowBroken == false { return end(code) }
        return !code.blamesPeer || spend(.reset, at: now)
    }

    private mutating func spend(_ kind: FrameBudget.Kind, at now: Int64) -> Bool {
        if budget.spend(kind, at: now) { return true }
        excess = kind
        return end(.enhanceYourCalm)
    }

    private mutating func end(_ code: HTTP2ErrorCode?) -> Bool {
        if let code { failure = code }
        return code == nil
    }

    // MARK: Streams

    /// The library has accepted a stream.
    mutating func opened(_ id: Int32, isOfTrustedProxy: Bool = false) {
        numbers.opened(id)
        if isOfTrustedProxy { budget.streamOpened() }
    }

    /// A stream has ended.
    ///
    /// - Parameters:
    ///   - isClientDone: whether the client has sent its end, or a reset.
    ///   - isTaken: whether the client has accepted the whole response.
    mutating func closed(_ id: Int32, isClientDone: Bool, isTaken: Bool) {
        if isTaken { budget.responseTaken() }
        numbers.closed(id, isClientDone: isClientDone)
        if block == .request(id) { drop() }
    }

    // MARK: Header lists

    /// A header list begins.
    mutating func begin(_ block: HeaderBlock, at now: Int64) {
        blockBegan = now
        self.block = block
        if case .request = block { list.removeAll() }
    }

    /// A header field has arrived.
    @inline(__always)
    mutating func add(_ name: Span<UInt8>, _ value: Span<UInt8>) -> FieldVerdict {
        switch block {
        case .request:
            if list.add(name, value) { return .accepted }
        case .trailers(let id, let size):
            let size = size + name.count + value.count + 32
            block = .trailers(id, size)
            guard size > limits.trailers else { return .accepted }
            guard size > limits.head else { return .trailersTooLarge(id) }
        case nil: return .accepted
        }
        failure = .enhanceYourCalm
        return .attack
    }

    /// A read has brought bytes of the list without ending it.
    mutating func read(_ count: Int) {
        if block != nil { blockSize += count }
    }

    /// Ends the complete list, and returns its kind.
    mutating func takeBlock() -> HeaderBlock? {
        defer { drop() }
        return block
    }

    /// Makes a request's head from the list.
    mutating func head(hasBody: Bool) throws(HeaderList.ListError) -> RequestHead { try list.head(hasBody: hasBody) }

    /// Forgets the list, which is broken or complete.
    mutating func drop() {
        (block, blockBegan, blockSize) = (nil, nil, 0)
    }
}
