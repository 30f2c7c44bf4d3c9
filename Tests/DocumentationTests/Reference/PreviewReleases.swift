import Backlot

@testable import Applin

/// The JavaScript module that tells preview's Applin client about the releases of the real client.
enum PreviewReleases {
    /// The path of the module, from the package's folder.
    static let file = "Sources/BacklotPreview/Web/applin/releases.js"
    /// The oldest release that preview behaves as.
    private static let oldest: ClientVersion = "0.24"

    static var text: String {
        let releases = ReleasedClients.releases.filter { $0 >= oldest && "\($0)".count { $0 == "." } == 1 }
        let groups = ReleasedClients.groups(of: releases).reversed().map { #"["\#($0[0])", "\#($0[$0.count - 1])"]"# }
        let newest = Dialect.allCases.map { #"\#($0.rawValue): "\#($0.versions.upperBound)""# }
        let kinds = ApplinVocabulary.all.kinds
        let known = kinds.filter { isTold($0.support) && !$0.roles.contains(.page) }.map { kind in
            let ends = [kind.support.since, kind.support.until].compactMap(\.self).map { "\"\($0)\"" }
            return "\(kind.name): [\(ends.joined(separator: ", "))]"
        }
        let keys = kinds.compactMap { kind -> String? in
            let told = kind.keys.filter { isTold($0.support) && $0.support.until == nil }
                .compactMap { key in key.support.since.map { #"\#(key.name): "\#($0)""# } }
            return told.isEmpty ? nil : "\(kind.name): { \(told.joined(separator: ", ")) }"
        }
        return """
            // Written by `make reference` from the vocabulary; do not edit it.

            /** The releases, newest first. Those from the first to the last of a group do the same. */
            export const RELEASES = [
            \(lines(groups))
            ];

            /** The newest release that speaks a dialect. */
            export const NEWEST = { \(newest.joined(separator: ", ")) };

            /** The first and the last release that knows each widget and action. */
            export const KNOWN = {
            \(lines(known))
            };

            /** The first releases that read the keys of a widget or action; earlier ones pass over them. */
            export const KEYS = {
            \(lines(keys))
            };

            """
    }

    /// Whether a release that preview behaves as lacks it.
    private static func isTold(_ support: Support) -> Bool {
        support.since.map { $0 > oldest } ?? false || support.until != nil
    }

    private static func lines(_ entries: [String]) -> String { entries.map { "  \($0)," }.joined(separator: "\n") }
}
