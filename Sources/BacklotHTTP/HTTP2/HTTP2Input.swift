/// Decides what becomes of the frames and header lists that a client sends, while the library reads them. A value without I/O.
struct HTTP2Input {
    /// A header list that is being read, and the number of its stream.
    enum HeaderBlock: Equatable {
        case request(Int32)
        /// Also the number of bytes so far.
        case trailers(Int32, Int)
    }

    /// The result of a header field.
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
    /// When the header list began that is being read, in milliseconds of the loop's clock.
    private(set) var blockBegan: Int64?
    /// The bytes of the reads that the list has come with, but for the first.
    private(set) var blockSize = 0
    private var heads = FrameHeads()
    private(set) var numbers = StreamNumbers()
    private(set) var budget = FrameBudget()
    /// Whether the current DATA frame has brought a byte.
    private var hasData = false
    /// The highest number of a stream that the client has used.
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

    /// The next head of a DATA frame in `bytes`: the library doesn't report those on streams that it has forgotten.
    ///
    /// - Parameter position: where to go on; afterwards the end of the head.
    /// - Returns: the head and the number of its stream; nil where `bytes` end before such a head is whole.
    mutating func nextData(
        in bytes: Span<UInt8>,
        from position: inout Int
    ) -> (header: HTTP2FrameHeader, stream: Int32)? {
        while let head = heads.next(in: bytes, from: &position) {
            if head.header.type == HTTP2FrameHeader.data { return head }
        }
        return nil
    }

    /// Whether the library may read a HEADERS or DATA frame; if not, `failure` says why.
    ///
    /// - Parameter isOpen: whether the library knows the frame's stream.
    mutating func mayRead(_ header: HTTP2FrameHeader, _ id: Int32, isOpen: @autoclosure () -> Bool) -> Bool {
        end(numbers.refusal(of: header.type, on: id, isOpen: isOpen()))
    }

    /// Whether a frame may begin; if not, `failure` says why.
    ///
    /// - Parameter now: milliseconds of a clock that never jumps.
    mutating func frameBegan(_ header: HTTP2FrameHeader, at now: Int64) -> Bool {
        hasData = false
        return header.budgetKind.map { spend($0, at: now) } ?? true
    }

    /// Whether a DATA frame may end; if not, `failure` says why.
    mutating func dataEnded(_ header: HTTP2FrameHeader, at now: Int64) -> Bool {
        hasData || header.length == 0 || header.endsStream || spend(.emptyData, at: now)
    }

    /// A DATA frame brings bytes.
    mutating func dataCame(_ count: Int) {
        hasData = true
        if count >= FrameBudget.fullFrame { budget.dataExchanged() }
    }

    /// A DATA frame was sent that is as large as its sender wanted it.
    mutating func dataSent() { budget.dataExchanged() }

    /// The library resets a stream.
    ///
    /// - Parameter isWindowBroken: whether the client has opened the stream's window too far; nil without the stream.
    /// - Returns: false when there were too many resets for the client's mistakes, or this one isn't the stream's alone.
    mutating func resetSent(_ code: HTTP2ErrorCode, isWindowBroken: Bool?, at now: Int64) -> Bool {
        // It can only be that a setting has opened the windows of all streams too far (RFC 9113, section 6.9.2), or
        // that the client has sent more than a window allows.
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
    mutating func opened(_ id: Int32) { numbers.opened(id) }

    /// A stream is over.
    ///
    /// - Parameters:
    ///   - isClientDone: whether the client has sent its end, or a reset.
    ///   - isTaken: whether the client has taken the whole response.
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

    /// A header field is there.
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

    /// A read that doesn't end the list has brought bytes of it.
    mutating func read(_ count: Int) {
        if block != nil { blockSize += count }
    }

    /// The list is whole.
    mutating func takeBlock() -> HeaderBlock? {
        defer { drop() }
        return block
    }

    /// The meaning of the list.
    mutating func head(hasBody: Bool) throws(HeaderList.ListError) -> RequestHead { try list.head(hasBody: hasBody) }

    /// The list that was being read is broken, or whole.
    mutating func drop() {
        (block, blockBegan, blockSize) = (nil, nil, 0)
    }
}
