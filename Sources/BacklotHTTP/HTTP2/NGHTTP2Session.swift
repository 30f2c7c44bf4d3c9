internal import CNGHTTP2
internal import HTTPTypes

/// The library's side of one connection: it parses frames, keeps the state of streams and windows, and writes frames. Only this file and
/// `NGHTTP2Callbacks` use its pointers.
///
/// It reports the frames to its `HTTP2Connection` while `receive` runs, and asks streams for their bytes while `write` runs.
@safe final class NGHTTP2Session {
    /// The number of bytes of unread bodies that a connection may hold at first: its window (RFC 9113, section 5.2).
    static let connectionWindow = 256 * 1024
    /// The window of a new stream: the protocol's.
    static let streamWindow = 65_535
    /// The bound of the windows of streams that handlers read quickly.
    static let widestWindow = 4 * 1024 * 1024

    private var session: OpaquePointer?
    /// The array that `write` fills with frames while it runs. Once it holds `outputLimit` bytes, the library adds no DATA frame.
    private(set) var output: UnsafeMutablePointer<[UInt8]>?
    private(set) var outputLimit = 0

    init(limits: ServerConfiguration.Limits) {
        // Not `&session`: Swift checks each access to a variable that C code writes to.
        var new: OpaquePointer?
        let code = unsafe nghttp2_session_server_new2(&new, NGHTTP2Callbacks.shared, nil, Self.options)
        precondition(code == 0, "there is no memory for an HTTP/2 connection")
        unsafe session = new
    }

    deinit {
        close()
    }

    /// Connects the library to `connection`, and sends the first frames.
    func start(_ connection: HTTP2Connection, limits: ServerConfiguration.Limits) {
        unsafe nghttp2_session_set_user_data(session, Unmanaged.passUnretained(connection).toOpaque())
        let settings = [
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.streams),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.head),
            // RFC 9218, section 2.1: the priorities of that document, for clients that know it.
            (NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
            // RFC 8441, section 3: WebSockets, each on a stream.
            (NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1),
        ]
        unsafe Self.submit(settings, window: Int32(Self.connectionWindow), to: session)
    }

    /// Sends settings, and opens the connection's window.
    static func submit(_ settings: [(nghttp2_settings_id, Int)], window: Int32, to session: OpaquePointer?) {
        let entries = settings.map {
            nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: UInt32(clamping: $0.1))
        }
        let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        unsafe nghttp2_submit_settings(session, none, entries, entries.count)
        unsafe nghttp2_session_set_local_window_size(session, none, 0, window)
    }

    /// Frees the library's memory.
    func close() {
        unsafe nghttp2_session_del(session)
        unsafe session = nil
    }

    /// The library's limits. `FrameBudget` has those that the library lacks.
    nonisolated(unsafe) private static let options: OpaquePointer? = {
        var options: OpaquePointer?
        unsafe nghttp2_option_new(&options)
        // Windows open when handlers read bytes.
        unsafe nghttp2_option_set_no_auto_window_update(options, 1)
        unsafe nghttp2_option_set_no_closed_streams(options, 1)
        // Clients that don't know it get the part of RFC 7540's priorities that the library keeps.
        unsafe nghttp2_option_set_server_fallback_rfc7540_priorities(options, 1)
        // Limits: frames after one HEADERS frame, entries of one SETTINGS frame, acknowledgements that wait to be sent.
        unsafe nghttp2_option_set_max_continuations(options, 8)
        unsafe nghttp2_option_set_max_settings(options, 32)
        unsafe nghttp2_option_set_max_outbound_ack(options, 400)
        // The outer limit for a client that also accepts responses; `FrameBudget` has the inner one.
        unsafe nghttp2_option_set_stream_reset_rate_limit(options, 10_000, 1000)
        return unsafe options
    }()

    // MARK: Frames

    /// Reads frames from pieces of any size.
    ///
    /// - Throws: the reason why the connection ends, unless a callback has reported it. The client exceeds one of the library's
    ///   limits, its first bytes aren't the preface, or memory is exhausted.
    func receive(_ bytes: Span<UInt8>) throws(HTTP2ErrorCode) {
        guard bytes.count > 0 else { return }
        switch unsafe Self.receive(bytes, by: session) {
        case 0...: return
        case NGHTTP2_ERR_CALLBACK_FAILURE.rawValue, NGHTTP2_ERR_FLOODED.rawValue,
            NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue:
            throw .enhanceYourCalm
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue: throw .protocolError
        default: throw .internalError
        }
    }

    /// Reads frames. Returns an error of the library, or a number of at least 0.
    static func receive(_ bytes: Span<UInt8>, by session: OpaquePointer?) -> Int32 {
        unsafe bytes.withUnsafeBufferPointer {
            Int32(clamping: unsafe nghttp2_session_mem_recv(session, $0.baseAddress, $0.count))
        }
    }

    /// Appends the frames that are due to `output`, until it holds about `limit` bytes.
    ///
    /// - Returns: false when the library has failed.
    func write(into output: inout [UInt8], upTo limit: Int) -> Bool {
        unsafe withUnsafeMutablePointer(to: &output) { output in
            unsafe self.output = unsafe output
            outputLimit = limit
            defer { unsafe self.output = nil }
            while unsafe output.pointee.count < limit {
                var frame: UnsafePointer<UInt8>?
                let count = unsafe nghttp2_session_mem_send(session, &frame)
                guard count > 0 else { return count == 0 }
                unsafe output.pointee.append(contentsOf: UnsafeBufferPointer(start: frame, count: count))
            }
            return true
        }
    }

    /// Whether there are frames that could be written now.
    var wantsToWrite: Bool { unsafe nghttp2_session_want_write(session) != 0 }

    /// Whether both sides have finished sending.
    var isOver: Bool { unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 }

    // MARK: Streams

    /// Attaches a stream to its number.
    func attach(_ stream: HTTP2Stream) {
        unsafe nghttp2_session_set_stream_user_data(session, stream.id, Unmanaged.passUnretained(stream).toOpaque())
        // Responses take turns, unless the client chooses otherwise: the clients of one proxy must not wait for each other.
        var priority = nghttp2_extpri(urgency: UInt32(NGHTTP2_EXTPRI_DEFAULT_URGENCY), inc: 1)
        unsafe nghttp2_session_change_extpri_stream_priority(session, stream.id, &priority, 0)
    }

    /// The open stream with a number; nil for other streams.
    func stream(_ id: Int32) -> HTTP2Stream? {
        guard let stream = unsafe nghttp2_session_get_stream_user_data(session, id) else { return nil }
        return unsafe Unmanaged<HTTP2Stream>.fromOpaque(stream).takeUnretainedValue()
    }

    /// Sends the header list of a response (RFC 9113, section 8.3.2). The library then asks the stream for the body, if the response has
    /// one.
    ///
    /// - Parameter dateLine: the field line `Date` in the form of HTTP/1, including its line ending.
    func submit(_ response: Response, dateLine: [UInt8], on stream: HTTP2Stream, hasBody: Bool) {
        let rest = response.common?.list ?? NGHTTP2Fields(FieldList(ofResponse: response))
        // The library reads the fields when it sends them.
        stream.fields = rest
        unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: rest.fields.count + 3) { fields in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22) { digits in
                unsafe dateLine.withUnsafeBufferPointer { line in
                    unsafe fields[0] = nghttp2_nv(":status", response.status.code, in: digits[..<3])
                    var count = 1
                    if !response.bringsDate {
                        unsafe fields[count] = nghttp2_nv("date", .init(rebasing: line[6..<(line.count - 2)]))
                        count += 1
                    }
                    if let length = FieldList.length(of: response) {
                        unsafe fields[count] = nghttp2_nv("content-length", length, in: digits[3...])
                        count += 1
                    }
                    count = unsafe fields[count...].initialize(fromContentsOf: rest.fields)
                    unsafe submit(UnsafeBufferPointer(rebasing: fields[..<count]), on: stream, hasBody: hasBody)
                }
            }
        }
    }

    private func submit(_ fields: UnsafeBufferPointer<nghttp2_nv>, on stream: HTTP2Stream, hasBody: Bool) {
        let source = unsafe nghttp2_data_source(ptr: Unmanaged.passUnretained(stream).toOpaque())
        var body = unsafe nghttp2_data_provider(source: source, read_callback: NGHTTP2Callbacks.readBody)
        unsafe withUnsafePointer(to: &body) { body in
            let body = unsafe hasBody ? body : nil
            _ = unsafe nghttp2_submit_response(session, stream.id, fields.baseAddress, fields.count, body)
        }
    }

    /// Sends the client a 100, so that it sends its body.
    func submitContinue(on stream: HTTP2Stream) {
        let list = Self.continueList
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        unsafe nghttp2_submit_headers(session, flags, stream.id, nil, list.fields.baseAddress, list.fields.count, nil)
    }

    private static let continueList = {
        var list = FieldList()
        list.append(":status", decimal: 100)
        return NGHTTP2Fields(list)
    }()

    /// Lets the library ask a stream for its body again, after it had no bytes.
    func resume(_ stream: HTTP2Stream) {
        unsafe nghttp2_session_resume_data(session, stream.id)
    }

    /// Resets a stream.
    func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
        unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, code.rawValue)
    }

    /// A handler has read bytes of a body: the windows open by their number.
    func consume(_ count: Int, of stream: HTTP2Stream) {
        unsafe nghttp2_session_consume(session, stream.id, count)
    }

    /// Bytes came for a stream that is over: the connection's window opens by this number.
    func consume(_ count: Int) {
        unsafe nghttp2_session_consume_connection(session, count)
    }

    /// Sets the size of a stream's window, or of the connection's (0).
    func setWindow(_ size: Int, of id: Int32 = 0) {
        unsafe nghttp2_session_set_local_window_size(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            id,
            Int32(clamping: size)
        )
    }

    // MARK: The end

    /// Announces that the server will soon accept no more streams, and asks the client to acknowledge that (RFC 9113, section 6.8).
    func announceShutdown() {
        unsafe nghttp2_submit_shutdown_notice(session)
        unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Stops accepting streams. The open ones continue.
    func shutDown() {
        let last = unsafe nghttp2_session_get_last_proc_stream_id(session)
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        unsafe nghttp2_submit_goaway(session, flags, last, HTTP2ErrorCode.noError.rawValue, nil, 0)
    }

    /// Ends the connection and all its streams once the GOAWAY frame is written.
    func terminate(_ code: HTTP2ErrorCode) {
        unsafe nghttp2_session_terminate_session(session, code.rawValue)
    }
}

/// Header fields in the library's form. They stay at one address until nobody holds them, so the library need not copy them.
@safe final class NGHTTP2Fields: @unchecked Sendable {
    let fields: UnsafeMutableBufferPointer<nghttp2_nv>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Copies the fields of a list. Their names must be in lower case.
    init(_ list: FieldList) {
        unsafe bytes = .allocate(capacity: list.bytes.count)
        unsafe fields = .allocate(capacity: list.count)
        _ = unsafe bytes.initialize(from: list.bytes)
        for index in 0..<list.count {
            let (name, value) = list[index]
            unsafe fields[index] = nghttp2_nv(.init(rebasing: bytes[name]), .init(rebasing: bytes[value]), keeps: true)
        }
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe fields.deallocate()
    }
}

extension nghttp2_nv {
    /// - Parameter keeps: whether the value stays at its address until the field is sent, as the name always does.
    fileprivate init(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, keeps: Bool) {
        let flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | (keeps ? NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue : 0)
        unsafe self.init(
            name: .init(mutating: name.baseAddress),
            value: .init(mutating: value.baseAddress),
            namelen: name.count,
            valuelen: value.count,
            flags: UInt8(flags)
        )
    }

    /// Creates a field with a value that the library copies.
    fileprivate init(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>) {
        unsafe self.init(.init(start: name.utf8Start, count: name.utf8CodeUnitCount), value, keeps: false)
    }

    /// Creates a field with a number of at least 0 as its value, written at the end of `digits`.
    fileprivate init(_ name: StaticString, _ number: Int, in digits: Slice<UnsafeMutableBufferPointer<UInt8>>) {
        var (start, rest) = unsafe (digits.endIndex, number)
        repeat {
            start -= 1
            unsafe digits.base[start] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        unsafe self.init(name, .init(rebasing: digits.base[start..<digits.endIndex]))
    }
}
