/// A growing sequence of bytes. Only this type of the module uses memory directly.
///
/// An array checks at each change whether it is shared, and `OutputSpan` checks at each byte whether there is room. A page consists
/// of a thousand small changes, and takes a third of the instructions without these checks. Call ``reserve(_:)`` once for all
/// pieces of a field: the writes after it don't check for room.
@safe @usableFromInline struct ByteBuffer: ~Copyable {
    @usableFromInline var start: UnsafeMutableRawPointer
    @usableFromInline var next: UnsafeMutableRawPointer
    @usableFromInline var end: UnsafeMutableRawPointer
    /// The memory of an array, which the buffer uses until it is full; nil if the buffer allocates all of its memory.
    @usableFromInline let lent: UnsafeMutableRawPointer?

    /// Creates an empty buffer with room for `capacity` bytes.
    init(capacity: Int) {
        unsafe self.init(.allocate(byteCount: capacity, alignment: 1), capacity: capacity, lent: nil)
    }

    private init(_ memory: UnsafeMutableRawPointer, capacity: Int, lent: UnsafeMutableRawPointer?) {
        unsafe start = memory
        unsafe next = memory
        unsafe end = memory + capacity
        unsafe self.lent = lent
    }

    @inlinable deinit {
        if unsafe start != lent { unsafe start.deallocate() }
    }

    /// Appends the bytes that `fill` writes to an array. Up to `capacity` bytes go directly into the array's memory.
    static func append(to array: inout [UInt8], capacity: Int, _ fill: (consuming ByteBuffer) -> ByteBuffer) {
        var larger: [UInt8]?
        array.append(addingCapacity: max(capacity, 1)) { output in
            unsafe output.withUnsafeMutableBufferPointer { room, count in
                guard let memory = room.baseAddress else { return }
                let buffer = fill(unsafe ByteBuffer(memory, capacity: room.count, lent: memory))
                // A caller that kept the buffer could write to the array's memory later.
                precondition(unsafe buffer.lent == Optional(memory), "a writer replaced another one")
                if unsafe buffer.start == memory { count = buffer.count } else { larger = buffer.bytes }
            }
        }
        guard let larger else { return }
        if array.isEmpty { array = larger } else { array += larger }
    }

    /// The written bytes.
    var bytes: [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count)) }

    /// The number of written bytes.
    var count: Int { unsafe next - start }

    /// Removes all written bytes.
    mutating func removeAll() { unsafe next = start }

    /// Removes the last byte; does nothing in an empty buffer.
    mutating func removeLast() { if count > 0 { unsafe next -= 1 } }

    // MARK: Room

    /// Makes room for `room` more bytes.
    @inlinable @inline(__always)
    mutating func reserve(_ room: Int) {
        if unsafe end - next < room { grow(room) }
    }

    @inline(never)
    @usableFromInline mutating func grow(_ room: Int) {
        // Not twice the capacity: a page of 20 KB would be copied five times, which takes a seventh of its time. The response frees
        // the memory soon.
        let capacity = max(count + room, 4 * (unsafe end - start))
        var larger = unsafe ByteBuffer(.allocate(byteCount: capacity, alignment: 1), capacity: capacity, lent: lent)
        unsafe larger.next.copyMemory(from: start, byteCount: count)
        unsafe larger.next += count
        self = larger
    }

    // MARK: Writing into reserved room

    /// Writes one byte into reserved room.
    @inlinable @inline(__always)
    mutating func put(_ byte: UInt8) { put { $0.put(byte) } }

    /// Writes the bytes of a literal into reserved room, without quotes.
    @inlinable @inline(__always)
    mutating func put(_ text: StaticString) { put { $0.put(text) } }

    /// Writes several pieces in sequence.
    ///
    /// During the call, a register holds the position. A property would be read again after each piece, because the compiler must
    /// assume that the writes may change it.
    @inlinable @inline(__always)
    mutating func put(_ pieces: (inout Place) -> Void) {
        var place = unsafe Place(next)
        pieces(&place)
        assert(unsafe place.next <= end)
        unsafe next = place.next
    }

    /// The position of the next byte, in reserved room.
    @safe @usableFromInline struct Place {
        @usableFromInline var next: UnsafeMutableRawPointer

        @inlinable @inline(__always)
        init(_ next: UnsafeMutableRawPointer) { unsafe self.next = unsafe next }

        @inlinable @inline(__always)
        mutating func put(_ byte: UInt8) {
            unsafe next.storeBytes(of: byte, as: UInt8.self)
            unsafe next += 1
        }

        /// Writes a byte if a condition is true, without a branch. There must be room for the byte even if the condition is false.
        @inlinable @inline(__always)
        mutating func put(_ byte: UInt8, if condition: Bool) {
            unsafe next.storeBytes(of: byte, as: UInt8.self)
            unsafe next += condition ? 1 : 0
        }

        @inlinable @inline(__always)
        mutating func put(_ text: StaticString) {
            unsafe copy(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        /// Writes a literal that needs no escape, in quotes.
        @inlinable @inline(__always)
        mutating func put(quoted literal: StaticString) {
            assert(
                JSONValue.string(literal.description).bytes.count == literal.utf8CodeUnitCount + 2,
                "the literal '\(literal)' needs an escape: write it as a value or a member"
            )
            put(.quote)
            put(literal)
            put(.quote)
        }

        /// Writes a number in decimal, which takes at most 20 digits.
        mutating func put(decimal number: UInt) {
            if number >= 10 { put(decimal: number / 10) }
            put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
        }

        /// Writes thousandths as a decimal fraction without trailing zeros: `1.5` for 1500.
        mutating func put(thousandths number: UInt) {
            put(decimal: number / 1000)
            put(.point)
            put(decimal: number / 100 % 10)
            if number % 100 != 0 { put(decimal: number / 10 % 10) }
            if number % 10 != 0 { put(decimal: number % 10) }
        }

        @inline(__always)
        mutating func put(_ text: Span<UInt8>) { unsafe text.withUnsafeBytes { unsafe copy($0) } }

        @inlinable @inline(__always)
        mutating func copy(_ text: UnsafeRawBufferPointer) {
            guard let source = text.baseAddress else { return }
            unsafe next.copyMemory(from: source, byteCount: text.count)
            unsafe next += text.count
        }
    }

    /// Writes a text if none of its bytes needs an escape in JSON. Makes room for the text and one more byte.
    ///
    /// - Returns: whether the text was written.
    @inline(__always)
    mutating func putUnlessEscaped(_ text: String) -> Bool {
        // Not `text.utf8.span`: making a span is a function call.
        let isWritten = unsafe text.utf8.withContiguousStorageIfAvailable { text in
            reserve(text.count + 1)
            return unsafe copyUnlessEscaped(UnsafeRawBufferPointer(text))
        }
        return isWritten ?? false
    }

    /// Checks bytes while it copies them, word by word. The last word overlaps the one before it.
    @inline(__always)
    private mutating func copyUnlessEscaped(_ text: UnsafeRawBufferPointer) -> Bool {
        let count = text.count
        assert(unsafe count <= end - next)
        // Collects the results of all words for one check at the end, because most texts need no escape.
        var found: UInt64 = 0
        if count >= 8 {
            var index = 0
            while index < count - 8 {
                found |= unsafe copy(UInt64.self, of: text, at: index)
                index += 8
            }
            found |= unsafe copy(UInt64.self, of: text, at: count - 8)
        } else if count >= 4 {
            found |= unsafe UInt64(copy(UInt32.self, of: text, at: 0) | copy(UInt32.self, of: text, at: count - 4))
        } else {
            for index in 0..<count { found |= unsafe UInt64(copy(UInt8.self, of: text, at: index)) }
        }
        guard found == 0 else { return false }
        unsafe next += count
        return true
    }

    /// Copies the word at `index` of a text to the same index of the reserved room.
    ///
    /// - Returns: 0 if the word's bytes need no escape.
    @inline(__always)
    private func copy<Word: FixedWidthInteger>(_: Word.Type, of text: UnsafeRawBufferPointer, at index: Int) -> Word {
        let word = unsafe text.loadUnaligned(fromByteOffset: index, as: Word.self)
        unsafe next.storeBytes(of: word, toByteOffset: index, as: Word.self)
        return word.bytesToEscape
    }
}

extension FixedWidthInteger {
    /// 0 if no byte of this word needs an escape in a JSON string: a quote, a backslash, or a control byte.
    ///
    /// Each subtraction sets the top bit of a byte that is below the subtrahend. `~self` excludes bytes above 0x7F.
    @inline(__always)
    fileprivate var bytesToEscape: Self {
        let ones = Self.max / 0xFF  // each byte is 1
        let quotes = self ^ (ones &* Self(UInt8.quote))
        let backslashes = self ^ (ones &* Self(UInt8.backslash))
        let controls = self &- ones &* 0x20
        return (controls | (quotes &- ones) | (backslashes &- ones)) & ~self & (ones &* 0x80)
    }
}

extension Double {
    /// The number in thousandths; nil if its shortest decimal form has more than three digits after the point, or more than 15
    /// digits in all. Writing thousandths takes a tenth of the time of `description`. Up to 15 digits, different decimal numbers
    /// are different `Double`s, so this form is the shortest.
    var thousandths: Int? {
        let product = self * 1000
        guard abs(product) < 1e15 else { return nil }
        // Not `rounded()`, which is a call to the C library.
        let thousandths = Int(product + (product < 0 ? -0.5 : 0.5))
        return Double(thousandths) / 1000 == self ? thousandths : nil
    }
}
