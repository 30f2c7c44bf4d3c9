package import Backlot
import Logging
import Synchronization

/// The currently broken files, for responses and commands that name them.
package final class BrokenFiles: Sendable {
    /// The header field that names a broken file.
    package static let field = HTTPField.Name("X-Backlot-Broken-File")

    private let state = Locked<[MockFileError]>([])
    private let count = Atomic(0)

    /// Whether any file is broken. It costs next to nothing.
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// The mistakes, by file.
    var list: [MockFileError] { state.withLock(\.self) }

    func set(_ problems: [MockFileError]) {
        state.withLock { $0 = problems }
        count.store(problems.count, ordering: .relaxed)
    }

    /// The mistakes in the files that may concern a path: files with a similar name, and files without a path in their names.
    func problems(about request: MockRequest) -> [MockFileError] {
        var budget = MatchBudget()
        return list.filter { problem in
            guard let name = try? RouteFileName(problem.file) else { return true }
            return URLPattern.template(name.path).matches(request, &budget)
        }
    }
}

extension MockBackend {
    /// The response with a field that names its file, if that is broken and an earlier version of it has responded.
    func named(_ response: Response, _ source: StubSource, _ request: MockRequest) -> Response {
        guard !broken.isEmpty, case .file(let file, _) = source,
            let problem = broken.list.first(where: { $0.file == file }) ?? problem(inAppOf: file)
        else { return response }
        logger.warning("\(request.title) is served by the last good version of a broken file: \(problem)")
        return response.naming([problem])
    }

    /// The first mistake in the app that a file belongs to; nil for a file outside of apps.
    private func problem(inAppOf file: String) -> MockFileError? {
        let apps = configuration.apps
        guard let app = (try? AppFileName(file, among: apps))?.group else { return nil }
        return broken.list.first { (try? AppFileName($0.file, among: apps))?.group == app }
    }
}

extension Response {
    /// The response with a field that names broken files.
    func naming(_ problems: [MockFileError]) -> Response {
        guard let field = BrokenFiles.field, let problem = problems.first else { return self }
        var response = self
        response.headers[field] = "\(problem.file):\(problem.line):\(problem.column)"
        return response
    }
}
