#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A mutual exclusion lock around a value. Hold it for a few instructions, never across a suspension. Copies share lock and
/// value.
///
/// A `pthread_mutex_t`, because ThreadSanitizer of Swift 6.3 reports false races through `Synchronization.Mutex`. Other modules
/// can specialize a generic type of this module only if it is `@usableFromInline`.
@usableFromInline @safe package struct Locked<Value>: @unchecked Sendable {
    /// The lock and the value, in one piece of memory. The value isn't a class property, because Swift would check each access
    /// for overlaps at run time, which the lock already rules out.
    @usableFromInline final class Storage: ManagedBuffer<ThreadMutex, Value> {
        deinit {
            unsafe withUnsafeMutablePointers { mutex, value in
                unsafe ThreadMutex.destroy(mutex)
                unsafe value.deinitialize(count: 1)
            }
        }
    }

    @usableFromInline let storage: ManagedBuffer<ThreadMutex, Value>

    @inlinable package init(_ value: Value) {
        storage = Storage.create(minimumCapacity: 1) { _ in ThreadMutex() }
        unsafe storage.withUnsafeMutablePointers { mutex, place in
            unsafe ThreadMutex.prepare(mutex)
            unsafe place.initialize(to: value)
        }
    }

    /// Calls `body` with the value while no other thread can see it.
    @inlinable package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        let (mutex, value) = unsafe storage.withUnsafeMutablePointers { unsafe ($0, $1) }
        unsafe ThreadMutex.lock(mutex)
        defer {
            unsafe ThreadMutex.unlock(mutex)
            withExtendedLifetime(storage) {}
        }
        return try unsafe body(&value.pointee)
    }
}

/// A mutex. Its functions take a pointer, because a mutex must not move in memory once it is initialized.
@safe @usableFromInline struct ThreadMutex {
    private var mutex = unsafe pthread_mutex_t()

    @usableFromInline init() {}

    @usableFromInline static func prepare(_ place: UnsafeMutablePointer<ThreadMutex>) {
        unsafe pthread_mutex_init(&place.pointee.mutex, nil)
    }

    static func destroy(_ place: UnsafeMutablePointer<ThreadMutex>) {
        unsafe pthread_mutex_destroy(&place.pointee.mutex)
    }

    @usableFromInline static func lock(_ place: UnsafeMutablePointer<ThreadMutex>) {
        unsafe pthread_mutex_lock(&place.pointee.mutex)
    }

    @usableFromInline static func unlock(_ place: UnsafeMutablePointer<ThreadMutex>) {
        unsafe pthread_mutex_unlock(&place.pointee.mutex)
    }
}

/// A value that one task at a time uses, across suspensions, until it fails.
final class Exclusive<Value>: Sendable {
    private enum State {
        case ready(Value)
        /// A task uses the value.
        case inUse
        case failed(any Error)
    }

    private let state: Locked<State>

    init(_ value: Value) {
        state = Locked(.ready(value))
    }

    /// Calls `body` with the value. After an error of `body`, each further use throws the same error.
    ///
    /// - Parameter isPassing: whether the value remains usable after an error.
    /// - Throws: `StreamError.usedTwice` while another task uses it.
    func use<Result>(
        unless isPassing: (any Error) -> Bool,
        _ body: (inout Value) async throws -> Result
    ) async throws -> Result {
        var value = try state.withLock { state in
            switch state {
            case .ready(let value):
                state = .inUse
                return value
            case .inUse: throw StreamError.usedTwice
            case .failed(let error): throw error
            }
        }
        do {
            let result = try await body(&value)
            state.withLock { $0 = .ready(value) }
            return result
        } catch {
            state.withLock { $0 = isPassing(error) ? .ready(value) : .failed(error) }
            throw error
        }
    }
}
