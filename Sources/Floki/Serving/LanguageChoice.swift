import Backlot

/// Chooses the language of an answer.
struct LanguageChoice: Sendable {
    /// The codes of the languages, the master first.
    let codes: [String]

    /// The language of a request's path.
    ///
    /// - Parameter code: the code that clients append. Without one, as iOS requests nested web pages, the first language that the
    ///   request accepts is used, or else the master.
    /// - Throws: `StatusError` with 404 for a language that the app lacks.
    func language(_ code: String, _ request: Request) throws -> String {
        if codes.contains(code) { return code }
        guard code.isEmpty else {
            throw StatusError(
                .notFound,
                "there is no language '\(code.excerpt)' here, only \(codes.joined(separator: ", "))"
            )
        }
        return request.headers[.acceptLanguage].flatMap(accepted) ?? codes.first ?? ""
    }

    /// The first language with the highest weight in an Accept-Language field (RFC 9110, section 12.5.4).
    private func accepted(_ field: String) -> String? {
        var best: (code: String, weight: Double)?
        for range in field.split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let tag = parts.first, let code = codes.first(where: { tag == $0 || tag.hasPrefix("\($0)-") }) else {
                continue
            }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > (best?.weight ?? 0) { best = (code, weight) }
        }
        return best?.code
    }
}
