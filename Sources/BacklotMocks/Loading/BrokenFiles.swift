import Backlot
import Logging
import Synchronization

/// The files that are broken at the moment, for answers and commands that name them.
final class BrokenFiles: Sendable {
    /// The header field that names a broken file.
    static let field = HTTPField.Name("X-Backlot-Broken-File")

    private let state = Locked<[MockFileError]>([])
    private let count = Atomic(0)

    /// Whether any file is broken. It costs next to nothing.
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// What is wrong, by files.
    var list: [MockFileError] { state.withLock(\.self) }

    func set(_ problems: [MockFileError]) {
        state.withLock { $0 = problems }
        count.store(problems.count, ordering: .relaxed)
    }

    /// What is wrong in the files that may be about a path: those that are named like it, and those whose names say no path.
    func problems(about request: MockRequest) -> [MockFileError] {
        var budget = MatchBudget()
        return list.filter { problem in
            guard let name = try? RouteFileName(problem.file) else { return true }
            return URLPattern.template(name.path).matches(request, &budget)
        }
    }
}

extension MockBackend {
    /// The answer with a field that names its file, where that is broken and an earlier version of it has answered.
    func named(_ response: Response, _ source: StubSource, _ request: MockRequest) -> Response {
        guard !broken.isEmpty, case .file(let file, _) = source,
            let problem = broken.list.first(where: { $0.file == file }) ?? problem(inAppOf: file)
        else { return response }
        logger.warning("\(request.title) is answered by the last good version of a broken file: \(problem)")
        return response.naming([problem])
    }

    /// The first thing that is wrong in the app that a file is part of; nil for a file that is part of none.
    private func problem(inAppOf file: String) -> MockFileError? {
        let apps = configuration.apps
        guard let app = (try? AppFileName(file, among: apps))?.group else { return nil }
        return broken.list.first { (try? AppFileName($0.file, among: apps))?.group == app }
    }
}

extension Response {
    /// The same with a field that names broken files.
    func naming(_ problems: [MockFileError]) -> Response {
        guard let field = BrokenFiles.field, let problem = problems.first else { return self }
        var response = self
        response.headers[field] = "\(problem.file):\(problem.line):\(problem.column)"
        return response
    }
}
