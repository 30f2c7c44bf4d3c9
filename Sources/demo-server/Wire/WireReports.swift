/// The reports that come over the wire: small, invented, in English and Spanish.
enum WireReports {
    /// All of them; sections take turns.
    static let all: [WireReport] = {
        let sections = [
            (GazetteApp.townSection, TownReports.text), (GazetteApp.sportsSection, SportsReports.text),
            (GazetteApp.cultureSection, CultureReports.text),
        ]
        .map { section, text in
            text.split(separator: "\n", omittingEmptySubsequences: false).split(separator: "").compactMap {
                WireReport(Array($0), section: section)
            }
        }
        return (0..<(sections.map(\.count).max() ?? 0)).flatMap { index in
            sections.compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }()
}

/// A report: what a story is made of.
struct WireReport: Sendable, Equatable {
    let section: Int
    let picture: String
    let tags: [String]
    let english: GazetteStory.Words
    let spanish: GazetteStory.Words

    /// Reads five lines: the picture and the tags, the English title and text, and the Spanish ones. nil for others.
    init?(_ text: [Substring], section: Int) {
        let lines = text.map(String.init)
        guard lines.count == 5, let space = lines[0].firstIndex(of: " ") else { return nil }
        self.section = section
        picture = String(lines[0][..<space])
        tags = lines[0][space...].split(separator: ",").map { String($0.drop { $0 == " " }) }
        english = GazetteStory.Words(title: lines[1], text: lines[2])
        spanish = GazetteStory.Words(title: lines[3], text: lines[4])
    }

    /// The story that it becomes.
    func story(_ id: Int) -> GazetteStory {
        GazetteStory(id: id, section: section, picture: picture, tags: tags, english: english, spanish: spanish)
    }
}
