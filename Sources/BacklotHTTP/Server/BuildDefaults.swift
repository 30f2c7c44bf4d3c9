/// The defaults that differ in debug builds. Declarations never differ: every build has the same API.
package enum BuildDefaults {
    #if DEBUG
    @inlinable static var isDebug: Bool { true }
    #else
    @inlinable static var isDebug: Bool { false }
    #endif

    /// Whether the response to an unexpected error describes the error (`ServerConfiguration.showsErrorDetails`).
    static var showsErrorDetails: Bool { isDebug }

    /// Whether the log names handlers that keep their event loop busy for long.
    @inlinable package static var watchesLoops: Bool { isDebug }

    /// Whether a page that clients would refuse becomes an error, instead of only a line in the log.
    package static var refusesInvalidPages: Bool { isDebug }

    /// Whether preview's scripts may be read from a folder.
    package static var readsPreviewFolder: Bool { isDebug }
}
