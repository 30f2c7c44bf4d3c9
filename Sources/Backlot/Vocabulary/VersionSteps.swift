/// The releases of a client, with the changes between each release and the one before.
///
/// Releases that read a document alike form a group, so that the inspector checks the document once for all of them. The changes
/// are the words of the vocabulary that came or went between two releases. Both releases read a document without these words alike.
package struct VersionSteps: Sendable {
    /// Words that make a difference only together, such as a kind and one of its keys.
    private typealias Cause = [String]

    /// Every release, oldest first.
    package let releases: [ClientVersion]
    /// The causes of a difference between each release and the one before; nil if every document may be read differently.
    private var causes: [[Cause]?]
    /// Every word of a cause.
    private let words: Set<String>
    private let longestWord: Int

    /// - Parameters:
    ///   - releases: every release, oldest first.
    ///   - rules: versions with changes to rules outside the vocabulary. Each has the words that a document needs (one is enough)
    ///     to be read differently; nil if every document may be.
    package init(
        _ vocabulary: Vocabulary,
        releases: [ClientVersion],
        rules: [(version: ClientVersion, words: [String]?)]
    ) {
        self.releases = releases
        causes = releases.map { _ in [] }
        for index in releases.indices.dropFirst() {
            let (old, new) = (releases[index - 1], releases[index])
            var found: [Cause]? = vocabulary.changes(from: old, to: new)
            for rule in rules where old < rule.version && rule.version <= new {
                found = rule.words.flatMap { words in found.map { $0 + words.map { [$0] } } }
            }
            causes[index] = found
        }
        words = Set(causes.flatMap { $0 ?? [] }.flatMap(\.self))
        longestWord = words.map(\.utf8.count).max() ?? 0
    }

    /// Groups of releases that read a document alike, oldest first. Without a document, the releases of a group read every document
    /// alike.
    package func groups(of selected: [ClientVersion], reading document: JSONValue? = nil) -> [[ClientVersion]] {
        let found = document.map(words)
        let selected = Set(selected)
        var groups: [[ClientVersion]] = []
        var isChanged = true
        for (release, causes) in zip(releases, causes) {
            isChanged = isChanged || causes.map { $0.contains { isThere($0, in: found) } } ?? true
            guard selected.contains(release) else { continue }
            if isChanged {
                groups.append([release])
            } else {
                groups[groups.count - 1].append(release)
            }
            isChanged = false
        }
        return groups
    }

    private func isThere(_ cause: Cause, in words: Set<String>?) -> Bool {
        guard let words else { return true }
        return cause.allSatisfy(words.contains)
    }

    /// The words in a document, at any position, that make a difference.
    private func words(in document: JSONValue) -> Set<String> {
        var found: Set<String> = []
        var pending = [document]
        while let value = pending.popLast() {
            switch value {
            case .object(let object):
                for member in object.members {
                    if words.contains(member.key) { found.insert(member.key) }
                    pending.append(member.value)
                }
            case .array(let elements): pending.append(contentsOf: elements)
            case .string(let text): if let word = name(in: text), words.contains(word) { found.insert(word) }
            case .null, .bool, .number: break
            }
        }
        return found
    }

    /// The name at the start of a text: the whole text, or the part before a colon. Colons before it don't count.
    private func name(in text: String) -> String? {
        var text = text[...]
        while text.utf8.first == UInt8(ascii: ":") { text = text.dropFirst() }
        let name = text.utf8.prefix(longestWord + 1).prefix { $0 != UInt8(ascii: ":") }
        return name.count > longestWord ? nil : String(Substring(name))
    }
}

extension Vocabulary {
    /// The words that differ between a version of a client and a later one. The word of a key counts together with the word of its
    /// kind.
    fileprivate func changes(from old: ClientVersion, to new: ClientVersion) -> [[String]] {
        func isChange(_ support: Support) -> Bool {
            support.since.map { old < $0 && $0 <= new } ?? false || support.until.map { old <= $0 && $0 < new } ?? false
        }
        var causes: [[String]] = []
        for kind in kinds {
            let changedKeys = isChange(kind.support) ? kind.keys : kind.keys.filter { isChange($0.support) }
            if isChange(kind.support) { causes.append([kind.name]) }
            for key in changedKeys {
                let isNew = kind.roles.contains(where: sharesKeys) && !isKey(key.name, beside: kind, from: old, to: new)
                causes.append(isNew ? [key.name] : [kind.name, key.name])
                if key.isNeeded { causes.append([kind.name]) }
            }
        }
        return causes
    }

    /// Whether another kind that clients decode into the same type has a key, in all versions from one to another.
    private func isKey(_ name: String, beside kind: Kind, from old: ClientVersion, to new: ClientVersion) -> Bool {
        kinds.contains { other in
            other != kind && other.support.covers(old...new) && sharesKeys(of: kind, other)
                && other.keys.contains { $0.name == name && $0.support.covers(old...new) }
        }
    }
}

extension Support {
    /// Whether every version supports the part, on some platform.
    fileprivate func covers(_ versions: ClosedRange<ClientVersion>) -> Bool {
        since.map { $0 <= versions.lowerBound } ?? true && until.map { $0 >= versions.upperBound } ?? true
    }
}
