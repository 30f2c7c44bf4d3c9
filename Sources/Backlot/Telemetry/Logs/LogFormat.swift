/// How log events are written down.
public enum LogFormat: String, CaseIterable, Sendable {
    /// For people: `20:17:12.345 info GET /notes 200 duration-ms=1.2`.
    case text
    /// For programs: one JSON object a line (https://jsonlines.org), with `time` (RFC 3339, UTC), `level`, `logger`, `message`,
    /// and the metadata beside them.
    case json
}
