/// Collects the header list of a request, field by field, and turns it into the head that handlers know from HTTP/1.
///
/// A value without I/O. Its fields have passed the library's checks (RFC 9113, sections 8.2 and 8.3). The pseudo-header fields come first,
/// without unknown or repeated ones. `:method`, `:scheme` and `:path` are present, and so is `:authority` or `host`. Names are tokens in
/// lower case, and fields about HTTP/1's connections don't occur.
///
/// A few bytes of a compressed list can expand to very many. So the list never stores more than a head may have, and stores each long name
/// and value only once, except those among the first 512 bytes. A client can thus make the server keep at most the bytes that it has sent,
/// and the library's table of 4 KB.
struct HeaderList {
    /// The reason why a handler can't see a list as a request.
    enum ListError: Error, Equatable {
        /// The stream must be reset (RFC 9113, section 8.1.1).
        case malformed
        /// The server responds with the error, as in HTTP/1.
        case refused(RequestError)
    }

    /// A list that exceeds the limits by this factor counts as an attack, not as a mistake.
    private static let bombFactor = 4
    /// Within this many bytes, which few requests exceed, repeated names and values are stored again.
    private static let unsearched = 512
    /// Names and values of up to this many bytes are never looked up.
    private static let short = 16

    private let limits: ServerConfiguration.Limits
    private var bytes: [UInt8] = []
    private var fields = FieldTable()
    private var method: Range<Int>?
    private var path: Range<Int>?
    private var authority: FieldRange?
    /// The protocol that the client wants to speak on the stream (RFC 8441, section 4). The library allows it for CONNECT only.
    private var streamProtocol: Range<Int>?
    /// The ranges of the names and values that new ones are compared with.
    private var places: [Range<Int>] = []
    /// All parts of the cookie, joined into one (RFC 9113, section 8.2.3), and the ranges of those that new parts are compared with.
    private var cookie: [UInt8] = []
    private var crumbs: [Range<Int>] = []
    /// The index of the cookie's field, which doesn't have the range of its value yet.
    private var cookieIndex: Int?
    private var framing = FramingFields()
    private var failure: ListError?
    /// The size as RFC 9113, section 6.5.2, counts it: names, values, and 32 bytes for each field.
    private var size = 0
    private var count = 0

    init(limits: ServerConfiguration.Limits) {
        self.limits = limits
    }

    /// The number of stored bytes.
    var storedBytes: Int { bytes.count + cookie.count }
    /// Whether the list exceeds the limits so far that the connection should end.
    var isBomb: Bool { size > Self.bombFactor * limits.head || count > Self.bombFactor * limits.fields }

    /// Empties the list for the next request, and keeps its memory unless it is large.
    mutating func removeAll() {
        let keepsMemory = bytes.capacity + cookie.capacity <= 4096
        bytes.removeAll(keepingCapacity: keepsMemory)
        if !cookie.isEmpty { cookie.removeAll(keepingCapacity: keepsMemory) }
        if !crumbs.isEmpty { crumbs.removeAll(keepingCapacity: keepsMemory) }
        if !places.isEmpty { places.removeAll(keepingCapacity: keepsMemory) }
        fields.removeAll()
        (method, path, authority, streamProtocol, cookieIndex) = (nil, nil, nil, nil, nil)
        (size, count) = (0, 0)
        framing = FramingFields()
        failure = nil
    }

    /// Adds a field. Fields beyond the limits are counted and dropped.
    ///
    /// - Returns: false for a list that exceeds the limits so far that the connection should end.
    @discardableResult
    mutating func add(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        size += name.count + value.count + 32
        guard size <= limits.head else { return fail(.refused(.headTooLarge(limit: limits.head))) }
        if name.count > 0, name[0] == ASCII.colon {
            addPseudo(name, value)
            return true
        }
        count += 1
        guard count <= limits.fields else { return fail(.refused(.tooManyFields(limit: limits.fields))) }
        if name.equals(0..<name.count, "cookie") { addCrumb(name, value) } else { addField(name, value) }
        return true
    }

    @discardableResult
    private mutating func fail(_ failure: ListError) -> Bool {
        if self.failure == nil { self.failure = failure }
        return !isBomb
    }

    private mutating func addPseudo(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        switch name.count {
        case 5: path = append(value)
        case 7 where name[1] == UInt8(ascii: "m"): method = append(value)
        case 9: streamProtocol = append(value)
        case 10: addAuthority(value)
        default: break  // :scheme, which a proxy in front may have changed
        }
    }

    /// The authority corresponds to `Host` in HTTP/1 (RFC 9113, section 8.3.1).
    private mutating func addAuthority(_ value: Span<UInt8>) {
        let start = bytes.count
        ByteCursor.append(to: &bytes, room: 4 + value.count) { field in
            field.put("host")
            field.put(value)
        }
        let field = FieldRange(name: start..<(start + 4), value: (start + 4)..<bytes.count)
        authority = field
        add(field, initial: UInt8(ascii: "h"))
    }

    private mutating func addField(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        if name.equals(0..<name.count, "host"), let authority {
            if !bytes.span.equals(authority.value, ignoringCaseOf: value) { fail(.malformed) }
            return
        }
        add(FieldRange(name: place(name), value: place(value)), initial: name.isEmpty ? 0 : name[0])
    }

    /// Adds a part of the cookie, unless it only repeats another.
    private mutating func addCrumb(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        if cookieIndex == nil {
            cookieIndex = fields.endIndex
            fields.append(FieldRange(name: place(name), value: 0..<0), initial: UInt8(ascii: "c"))
        }
        let isSearched = storedBytes > Self.unsearched && value.count > Self.short
        if isSearched, crumbs.contains(where: { cookie.span.equals($0, value) }) { return }
        if !cookie.isEmpty { cookie.append("; ") }
        let start = cookie.count
        cookie.append(copying: value)
        if isSearched { crumbs.append(start..<cookie.count) }
    }

    /// The range of a name or value. An equal one that was stored earlier may be used again; otherwise the text is appended.
    private mutating func place(_ text: Span<UInt8>) -> Range<Int> {
        guard text.count > Self.short, storedBytes > Self.unsearched else { return append(text) }
        if let place = places.first(where: { bytes.span.equals($0, text) }) { return place }
        let place = append(text)
        places.append(place)
        return place
    }

    private mutating func add(_ field: FieldRange, initial: UInt8) {
        fields.append(field, initial: initial)
        var framing = framing
        do throws(RequestError) { try framing.note(field, in: bytes.span) } catch { fail(.refused(error)) }
        self.framing = framing
    }

    private mutating func append(_ value: Span<UInt8>) -> Range<Int> {
        let start = bytes.count
        ByteCursor.append(to: &bytes, room: value.count) { $0.put(value) }
        return start..<bytes.count
    }

    /// Whether the method is HEAD. Responses to it have no body.
    var isHead: Bool { method.map { bytes.span.equals($0, "HEAD") } ?? false }

    // MARK: The head

    /// Makes a head from the fields.
    ///
    /// `mutating` avoids a copy of the connection's list for each call.
    ///
    /// - Parameter hasBody: whether the client hasn't ended the stream yet.
    mutating func head(hasBody: Bool) throws(ListError) -> RequestHead {
        if let failure { throw failure }
        guard var method else { throw .malformed }
        if let streamProtocol {
            guard bytes.span.equals(streamProtocol, ignoringCase: "websocket") else {
                throw .refused(.connectNotSupported)
            }
            // Handlers get the request that opens a WebSocket over HTTP/1.1, so that one route serves both.
            method = append("GET".utf8.span)
            add(FieldRange(name: append("upgrade".utf8.span), value: streamProtocol), initial: UInt8(ascii: "u"))
        }
        let hasBody = hasBody && streamProtocol == nil
        do throws(RequestError) {
            let line = try requestLine(method)
            // The cookie takes the place of its first part.
            if let cookieIndex {
                fields[cookieIndex] = FieldRange(name: fields[cookieIndex].name, value: bytes.count..<storedBytes)
            }
            var all: [UInt8] = []
            ByteCursor.append(to: &all, room: storedBytes) { head in
                head.put(bytes.span)
                head.put(cookie.span)
            }
            return RequestHead(
                bytes: all,
                line: line,
                fields: fields,
                framing: hasBody ? try framing.framing(isHTTP10: false) : .none,
                isPersistent: true,
                expectsContinue: hasBody && framing.expectsContinue,
                length: all.count
            )
        } catch {
            throw .refused(error)
        }
    }

    private func requestLine(_ method: Range<Int>) throws(RequestError) -> RequestLine {
        let head = bytes.span
        // CONNECT has no path (RFC 9113, section 8.5).
        guard !head.equals(method, "CONNECT"), let target = path else { throw .connectNotSupported }
        guard method.count + target.count <= limits.requestLine else { throw .targetTooLong(limit: limits.requestLine) }
        guard !method.isEmpty, method.allSatisfy({ ByteSet.token.contains(head[$0]) }) else {
            throw .malformed("a method that is not a token")
        }
        guard !target.isEmpty, head[target.lowerBound] == ASCII.slash || head.equals(target, "*") else {
            throw .malformed("the path doesn't begin with a slash")
        }
        return try RequestLine(method: method, target: target, in: head)
    }
}
