internal import CPCRE2

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What one match needs while it runs: memory, limits, and a watch. Rooms for short texts are used again.
@safe final class PCRELimits: @unchecked Sendable {
    /// Texts up to this many bytes are short.
    private static let short = 4096
    private static let idle = Locked<[PCRELimits]>([])
    /// How many rooms are kept: one per thread that matches at a time is enough.
    private static let mostIdle = 16

    private let data: OpaquePointer
    private let context: OpaquePointer
    private let watch: UnsafeMutablePointer<MatchWatch>
    private let isKept: Bool

    /// - Parameter groups: how many groups are asked for.
    static func borrow(forBytes count: Int, groups: Int = 1) -> PCRELimits {
        guard count <= short, groups <= 1 else {
            return PCRELimits(kibibytes: count <= short ? 1024 : 16 * 1024, isKept: false, groups: groups)
        }
        return idle.withLock { $0.popLast() } ?? PCRELimits(kibibytes: 1024, isKept: true)
    }

    func giveBack() {
        guard isKept else { return }
        Self.idle.withLock { if $0.count < Self.mostIdle { $0.append(self) } }
    }

    /// - Parameter kibibytes: how much memory a match may take, in KiB.
    private init(kibibytes: UInt32, isKept: Bool, groups: Int = 1) {
        guard let data = unsafe pcre2_match_data_create_8(UInt32(clamping: max(1, groups) + 1), nil),
            let context = unsafe pcre2_match_context_create_8(nil)
        else { fatalError("there is no memory for a match") }
        unsafe (self.data, self.context, self.isKept) = (data, context, isKept)
        unsafe watch = .allocate(capacity: 1)
        unsafe watch.initialize(to: MatchWatch())
        unsafe pcre2_set_heap_limit_8(context, kibibytes)
        unsafe pcre2_set_callout_8(context, { _, watch in unsafe MatchWatch.tick(watch) }, watch)
    }

    deinit {
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_match_data_free_8(data)
        unsafe watch.deallocate()
    }

    /// - Parameters:
    ///   - text: UTF-8 that is in order, since it is from a `String`.
    ///   - time: how many nanoseconds are left.
    func match(
        _ code: PCRERegex.Code,
        _ text: UnsafeBufferPointer<UInt8>,
        isWhole: Bool,
        within time: inout Int64
    ) -> PCRERegex.Outcome {
        let steps = UInt32(clamping: 200_000 + 8 * text.count)
        unsafe pcre2_set_match_limit_8(context, steps)
        unsafe pcre2_set_depth_limit_8(context, steps)
        // However little is left, a tenth of a millisecond remains.
        unsafe watch.pointee.begin(allowance: max(100_000, min(time, PCRERegex.time(forBytes: text.count))), text.count)
        let options = (isWhole ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : 0) | PCRE2_NO_UTF_CHECK
        // An empty text may have no address.
        var nothing: UInt8 = 0
        let result = unsafe withUnsafePointer(to: &nothing) { nothing in
            unsafe pcre2_match_8(code.pointer, text.baseAddress ?? nothing, text.count, 0, options, data, context)
        }
        time -= unsafe watch.pointee.used()
        if result >= 0 { return .matches }
        return result == PCRE2_ERROR_NOMATCH ? .differs : .givenUp
    }

    /// Where a group has matched in the last text.
    func group(_ index: Int) -> Range<Int>? {
        guard unsafe index < Int(pcre2_get_ovector_count_8(data)), let pairs = unsafe pcre2_get_ovector_pointer_8(data)
        else { return nil }
        let (start, end) = unsafe (pairs[2 * index], pairs[2 * index + 1])
        // What has matched nothing is at the largest number.
        return start <= end && end != Int(bitPattern: ~0) ? start..<end : nil
    }
}

/// Looks at the time every so often while a match runs.
struct MatchWatch {
    private var ticksLeft: Int32 = 0
    private var ticks: Int32 = 0
    private var allowance: Int64 = 0
    /// The processor's time when the watch was first looked at; nil before.
    private var start: Int64?
    /// When the processor's time is looked at next: asking for it takes ten times as long.
    private var nextLook: Int64 = 0

    /// - Parameter count: the text's length in bytes, of which one part of a pattern may run along all.
    mutating func begin(allowance: Int64, _ count: Int) {
        ticks = Int32(min(64, max(1, 65_536 / max(1, count))))
        ticksLeft = ticks
        self.allowance = allowance
        start = nil
    }

    /// The nanoseconds that the match took; nothing for one that was soon over.
    func used() -> Int64 { start.map { Self.now(CLOCK_THREAD_CPUTIME_ID) - $0 } ?? 0 }

    static func tick(_ watch: UnsafeMutableRawPointer?) -> Int32 {
        guard let watch = unsafe watch?.assumingMemoryBound(to: MatchWatch.self) else { return 0 }
        unsafe watch.pointee.ticksLeft -= 1
        return unsafe watch.pointee.ticksLeft > 0 || watch.pointee.look() ? 0 : Int32(PCRE2_ERROR_CALLOUT)
    }

    /// - Returns: whether there is time left.
    private mutating func look() -> Bool {
        ticksLeft = ticks
        let now = Self.now(CLOCK_MONOTONIC)
        guard let start else {
            start = Self.now(CLOCK_THREAD_CPUTIME_ID)
            nextLook = now + allowance
            return true
        }
        guard now >= nextLook else { return true }
        // The thread may have waited for a processor meanwhile, which isn't the pattern's doing.
        let used = Self.now(CLOCK_THREAD_CPUTIME_ID) - start
        nextLook = now + allowance - used
        return used < allowance
    }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
