package import Backlot
import BacklotJSON

/// A difference of structure between what a mock answers and what the backend does.
package struct DriftChange: Sendable, Equatable {
    /// What makes it the same difference in two passes over a backend whose values change.
    struct Identity: Hashable, Sendable {
        let rule: String
        /// The place in the mock's answer; for what was added, that of the part around it.
        let place: String
        let name: String
    }

    package let severity: Finding.Severity
    /// Its kind, which stays the same from version to version: `widget-removed`.
    package let rule: String
    /// The way to the place in words.
    package let steps: [String]
    /// The place in the backend's answer; for what was removed, the place in the mock's.
    package let pointer: String
    /// What the mock has there; nil where it has nothing.
    package let was: String?
    /// What the backend has there; nil where it has nothing.
    package let now: String?
    /// What is different, as a sentence.
    package let message: String
    /// The variable that it is about; nil for none. Of a variable with another name, the name it had.
    package let variable: String?
    let identity: Identity
    /// Whether no client sees it: it is in what clients pass over, or says what they assume anyway.
    package internal(set) var isWithoutEffect: Bool

    /// The place in the mock's answer; for what was added, that of the part around it.
    package var place: String { identity.place.isEmpty ? pointer : identity.place }

    /// The same, and for a key that was added, that of the key.
    package var ownPlace: String { rule == "key-added" ? place + JSONPointer.step(identity.name) : place }

    init(
        _ severity: Finding.Severity,
        _ rule: String,
        steps: [String] = [],
        at pointer: String = "",
        was: String?,
        now: String?,
        place: String? = nil,
        name: String = "",
        variable: String? = nil,
        isWithoutEffect: Bool = false,
        _ message: String
    ) {
        self.severity = severity
        self.rule = rule
        self.steps = steps
        self.pointer = pointer
        self.was = was
        self.now = now
        self.message = message
        self.variable = variable
        self.isWithoutEffect = isWithoutEffect
        identity = Identity(rule: rule, place: place ?? pointer, name: name)
    }

    /// A difference outside of a document.
    package init(_ severity: Finding.Severity, _ rule: String, was: String?, now: String?, _ message: String) {
        self.init(severity, rule, at: "", was: was, now: now, name: [was, now].compactMap(\.self).joined(), message)
    }

    /// What is found in every list: a difference that comes and goes is none.
    package static func lasting(_ lists: [[DriftChange]]) -> [DriftChange] {
        guard var lasting = lists.first else { return [] }
        for list in lists.dropFirst() {
            var counts = list.reduce(into: [Identity: Int]()) { $0[$1.identity, default: 0] += 1 }
            lasting = lasting.filter { change in
                guard let count = counts[change.identity], count > 0 else { return false }
                counts[change.identity] = count - 1
                return true
            }
        }
        return lasting
    }
}

/// What two answers that are compared are called in sentences.
package struct DriftSides: Sendable {
    /// A mock's answer, and the backend's.
    package static let mockAndBackend = DriftSides(was: "the mock", now: "the backend")

    /// The first, such as `the mock`.
    package let was: String
    /// The second, such as `the backend`.
    package let now: String

    package init(was: String, now: String) { (self.was, self.now) = (was, now) }

    /// The first at the beginning of a sentence.
    package var wasFirst: String { was.capitalizedFirst }
    /// The second at the beginning of a sentence.
    package var nowFirst: String { now.capitalizedFirst }
}

extension DriftChange {
    /// A rule of the protocol that the backend's answer breaks.
    package init(broken finding: Finding) {
        self.init(
            finding.severity,
            finding.rule,
            steps: finding.path.steps,
            at: finding.path.pointer,
            was: nil,
            now: nil,
            place: "",
            "The backend's answer breaks a rule that the mock's follows: \(finding.message)"
        )
    }

    /// The same at a place of the document.
    package func at(_ pointer: String) -> DriftChange {
        DriftChange(severity, rule, steps: steps, at: pointer, was: was, now: now, place: pointer, message)
    }

    /// Whether a place is in what is different, or just around it.
    package func isNear(_ other: String) -> Bool {
        guard !pointer.isEmpty, !other.isEmpty else { return false }
        if other == pointer || other.hasPrefix(pointer + "/") { return true }
        return pointer.hasPrefix(other + "/") && !pointer.dropFirst(other.count + 1).contains("/")
    }

    /// The same with what clients make of it.
    package func explained(_ finding: Finding) -> DriftChange {
        let severity = finding.severity == .error ? .error : severity
        return DriftChange(
            severity,
            rule,
            steps: steps,
            at: pointer,
            was: was,
            now: now,
            place: identity.place,
            name: identity.name,
            variable: variable,
            isWithoutEffect: isWithoutEffect,
            message.hasSuffix(finding.message) ? message : "\(message) \(finding.message)"
        )
    }
}

/// Which cookies hold sessions, as recordings take them for.
package enum RecordedSession {
    /// Whether a cookie of a name is one.
    package static func isSession(_ cookie: String) -> Bool { SecretNames.isSession(cookie) }
}
