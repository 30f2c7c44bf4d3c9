internal import CNGHTTP2

/// Turns the library's callbacks into calls of an `HTTP2Connection` and its streams.
enum NGHTTP2Callbacks {
    nonisolated(unsafe) static let shared: OpaquePointer? = {
        var callbacks: OpaquePointer?
        unsafe nghttp2_session_callbacks_new(&callbacks)
        unsafe setReading(callbacks)
        unsafe setWriting(callbacks)
        return unsafe callbacks
    }()

    // MARK: Reading

    private static func setReading(_ callbacks: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, head, data in
            let head = unsafe head.unsafelyUnwrapped.pointee
            return unsafe on(data) { $0.frameBegan(HTTP2FrameHeader(head), head.stream_id) } ? 0 : stop
        }
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, data in
            let headers = unsafe frame.unsafelyUnwrapped.pointee.headers
            let isRequest = unsafe headers.cat == NGHTTP2_HCAT_REQUEST
            let head = unsafe headers.hd
            unsafe on(data) { $0.headersBegan(HTTP2FrameHeader(head), head.stream_id, isRequest: isRequest) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            let (name, value) = unsafe (bytes($2, $3), bytes($4, $5))
            return unsafe on($7) { unsafe $0.headerCame(name.span, value.span) } ? 0 : stop
        }
        // Names and values that RFC 9113, section 8.2.1, forbids: the library resets the stream.
        unsafe nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in
            NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, start, count, data in
            unsafe on(data) { unsafe $0.dataCame(id, bytes(start, count).span) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            let head = unsafe frame.unsafelyUnwrapped.pointee.hd
            return unsafe on(data) { $0.frameCame(HTTP2FrameHeader(head), head.stream_id) } ? 0 : stop
        }
        unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, _, data in
            let head = unsafe frame.unsafelyUnwrapped.pointee.hd
            unsafe on(data) { $0.frameRefused(HTTP2FrameHeader(head), head.stream_id) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, _, data in
            unsafe on(data) { connection in connection.session.stream(id).map(connection.streamClosed) }
            return 0
        }
    }

    // MARK: Writing

    private static func setWriting(_ callbacks: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, _, head, count, source, data in
            let session = unsafe on(data) { $0.session }
            guard let output = unsafe session.output else { return stop }
            let start = unsafe output.pointee.count
            guard start < session.outputLimit else { return NGHTTP2_ERR_WOULDBLOCK.rawValue }
            unsafe output.pointee.append(contentsOf: bytes(head, 9))
            guard unsafe stream(source, { unsafe $0.take(count, into: &output.pointee) }) else {
                unsafe output.pointee.removeLast(output.pointee.count - start)
                return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, data in
            let frame = unsafe frame.unsafelyUnwrapped
            let head = unsafe frame.pointee.hd
            if head.type == HTTP2FrameHeader.resetStream {
                let code = unsafe HTTP2ErrorCode(rawValue: frame.pointee.rst_stream.error_code)
                return unsafe on(data) { $0.resetSent(code, head.stream_id) } ? 0 : stop
            }
            if HTTP2FrameHeader(head).endsStream {
                unsafe on(data) { $0.session.stream(head.stream_id)?.responseSent() }
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, error, data in
            let head = unsafe frame.unsafelyUnwrapped.pointee.hd
            if head.type == HTTP2FrameHeader.headers {
                let isTooLarge = error == NGHTTP2_ERR_FRAME_SIZE_ERROR.rawValue
                unsafe on(data) { $0.responseNotSent(head.stream_id, isTooLarge: isTooLarge) }
            }
            return 0
        }
    }

    /// Asks a stream how much of its body goes into the next DATA frame. The callback for sending writes the bytes themselves, without an
    /// intermediate copy.
    static let readBody: nghttp2_data_source_read_callback = { _, _, _, most, flags, source, _ in
        guard let frame = unsafe stream(source, { $0.nextFrame(upTo: most) }) else {
            return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        }
        if frame.count > 0 { unsafe flags.unsafelyUnwrapped.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue }
        if frame.isLast { unsafe flags.unsafelyUnwrapped.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return frame.count
    }
}

extension HTTP2FrameHeader {
    fileprivate init(_ header: nghttp2_frame_hd) {
        self.init(type: header.type, flags: header.flags, length: Int(header.length))
    }
}

// A callback returns this to stop all reading and writing.
private let stop = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

/// Calls `body` with the connection, which holds the library's session and so needs no further reference.
@inline(__always) @discardableResult
private func on<Result>(_ data: UnsafeMutableRawPointer?, _ body: (HTTP2Connection) -> Result) -> Result {
    unsafe Unmanaged.fromOpaque(data.unsafelyUnwrapped)._withUnsafeGuaranteedRef(body)
}

/// Calls `body` with the stream that has the bytes. Its connection holds the stream as long as the library knows it.
@inline(__always)
private func stream<Result>(
    _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ body: (HTTP2Stream) -> Result
) -> Result {
    unsafe Unmanaged.fromOpaque(source.unsafelyUnwrapped.pointee.ptr)._withUnsafeGuaranteedRef(body)
}

@inline(__always)
private func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: start, count: count)
}
