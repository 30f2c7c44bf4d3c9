/// The defaults that differ in debug builds. Declarations never do: programs can call the same in every build.
package enum BuildDefaults {
    #if DEBUG
    @inlinable static var isDebug: Bool { true }
    #else
    @inlinable static var isDebug: Bool { false }
    #endif

    /// Whether the response to an unexpected error describes the error (`ServerConfiguration.showsErrorDetails`).
    static var showsErrorDetails: Bool { isDebug }

    /// Whether handlers that keep their event loop for long are named in the log.
    @inlinable package static var watchesLoops: Bool { isDebug }

    /// Whether a page that clients would refuse becomes an error, instead of only a line of the log.
    package static var refusesInvalidPages: Bool { isDebug }

    /// Whether preview's scripts may be read from a folder.
    package static var readsPreviewFolder: Bool { isDebug }
}
