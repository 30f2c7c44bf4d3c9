package import Backlot

/// The verdicts of released clients on pages.
package enum ReleasedClients {
    /// Every release that reads current pages, oldest first. Those before 0.0.3 read names with hyphens.
    package static let releases: [ClientVersion] = [
        "0.0.3", "0.0.4", "0.0.5", "0.0.6", "0.0.7", "0.0.9", "0.0.10", "0.11", "0.12", "0.13", "0.14", "0.15", "0.16",
        "0.17", "0.18", "0.19", "0.20",
        "0.21", "0.22", "0.23", "0.24", "0.25", "0.26", "0.27", "0.28", "0.29", "0.30", "0.31", "0.32", "0.32.1",
        "0.33",
        "0.33.1", "0.34", "0.35", "0.36", "0.37", "0.38", "0.39", "0.40",
    ]

    /// The releases before 0.0.3, which read names with hyphens.
    package static let hyphenReleases: [ClientVersion] = ["0.0", "0.0.1", "0.0.2"]

    /// The releases that read pages differently from those before them.
    private static let steps = VersionSteps(
        ApplinVocabulary.all,
        releases: hyphenReleases + releases,
        rules: [
            (releases[0], nil),
            // Actions, and the URLs of calls and launch_url.
            ("0.31", nil), ("0.32", ["launch_url"]),
            (InputRules.firstNestingClient, ["var_name", "var_name1", "var_name2"]),
        ]
    )

    /// The first of the newest releases that read every page alike.
    package static let lastChange = groups(of: releases).last?.first ?? releases[0]

    /// Some releases in groups that read every page alike, oldest first.
    ///
    /// - Parameter document: the page, if only its readers matter.
    package static func groups(
        of selected: [ClientVersion],
        reading document: JSONValue? = nil
    ) -> [[ClientVersion]] {
        steps.groups(of: selected, reading: document)
    }

    /// The verdicts of released clients on the body of a response.
    ///
    /// - Parameters:
    ///   - path: the page's path below the app's base URL.
    ///   - selected: the clients to report on.
    ///   - baseURL: the app's base URL, with a slash at its end; nil if unknown.
    package static func verdicts(
        onBody body: [UInt8],
        path: String = "/",
        of selected: [ClientVersion] = releases,
        baseURL: String?
    ) -> ClientFindings {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: body, depthLimit: ApplinInspector.deepestJSON)
        } catch {
            var verdicts = ClientFindings()
            verdicts.refuse(selected, for: .notJSON(error, page: path), because: nil)
            return verdicts
        }
        return verdicts(on: document, path: path, of: selected, baseURL: baseURL)
    }

    /// The verdicts of released clients on a response. Each group of clients that read it alike is checked once.
    package static func verdicts(
        on document: JSONValue,
        path: String = "/",
        of selected: [ClientVersion] = releases,
        baseURL: String?
    ) -> ClientFindings {
        var verdicts = ClientFindings()
        for group in steps.groups(of: selected, reading: document) {
            let isHyphened = group[0] < releases[0]
            if isHyphened, let typ = document["page"]?["typ"]?.string, !typ.contains("-") {
                verdicts.refuse(group, for: .underscores(in: typ, page: path), because: "names with underscores")
                continue
            }
            let findings = ApplinRules.findings(
                in: isHyphened ? document.withoutHyphens : document,
                path: path,
                for: audience(of: group),
                app: nil,
                baseURL: baseURL
            )
            if let rejection = findings.first(where: \.isRejection) {
                verdicts.refuse(group, for: rejection, because: rejection.cause(in: document))
                continue
            }
            verdicts.accept(group)
            if let obstacle = findings.first(where: { $0.severity == .error && InputRules.postRules.contains($0.rule) })
            {
                verdicts.failsToPost += group.map { ($0, obstacle) }
            }
        }
        return verdicts
    }

    private static func audience(of group: [ClientVersion]) -> Audience {
        let newest = Dialect(of: group[0]).audience
        // All groups have the same name, so that refusals for the same reason become one line.
        return newest.narrowed(to: group[0]...group[group.count - 1], noun: newest.noun)
    }
}

extension Finding {
    /// The name of the widget, action or key that the finding is about.
    fileprivate func cause(in document: JSONValue) -> String? {
        let steps = JSONPointer.steps(of: path.pointer)
        var (value, owner, typ) = (document, "", "")
        for step in steps {
            guard let next = Int(step).flatMap({ value[$0] }) ?? value[step] else { break }
            typ = value["typ"]?.string ?? typ
            value = next
            if Int(step) == nil { owner = step }
        }
        switch value {
        case .object(let object) where rule == "action-of-other-dialect":
            return object.count > 0 ? "actions that are objects" : nil
        case .string where rule == "action-of-other-dialect": return "actions that are strings"
        case .object(let object): return object["typ"]?.string?.excerpt ?? (owner.isEmpty ? nil : owner.excerpt)
        case .string(let text) where Int(steps.last ?? "") != nil && owner == "actions":
            return String(text.drop { $0 == ":" }.prefix { $0 != ":" }).excerpt
        case .string(let text) where owner == "typ": return text.excerpt
        default: return owner.isEmpty ? nil : (typ.isEmpty ? owner : "\(typ)'s \(owner)").excerpt
        }
    }
}

extension Finding {
    fileprivate static func underscores(in typ: String, page path: String) -> Finding {
        Finding(
            .error,
            rule: "names-with-underscores",
            path: FindingPath(page: path, pointer: "/page/typ"),
            message:
                "Clients before \(ReleasedClients.releases[0]) read names with hyphens, such as nav-page, so they reject "
                + "the whole page for \(typ.quoted).",
            fix: "Serve the app to clients since \(ReleasedClients.releases[0])."
        )
    }
}

extension JSONValue {
    /// A document for clients that read names with hyphens, in today's words. They don't know names with underscores.
    fileprivate var withoutHyphens: JSONValue {
        switch self {
        case .object(let object):
            var translated = JSONObject()
            for member in object.members {
                let value = member.value.withoutHyphens
                translated[member.key.withoutHyphens] = member.key == "typ" ? value.translatedText : value
            }
            return .object(translated)
        case .array(let elements):
            return .array(elements.map { $0.string == nil ? $0.withoutHyphens : $0.translatedText })
        default: return self
        }
    }

    private var translatedText: JSONValue {
        guard let text = string else { return self }
        let name = text.prefix { $0 != ":" }
        return .string(String(name).withoutHyphens + text[name.endIndex...])
    }
}

extension String {
    /// A name with underscores instead of hyphens; a name with underscores becomes one that no client knows.
    fileprivate var withoutHyphens: String {
        contains("_") ? "\(self) (unknown)" : replacing("-", with: "_")
    }
}
