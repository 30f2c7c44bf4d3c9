import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Commands about the files in `__files`, which stubs name as their bodies.
extension MockAdmin {
    static let fileRoutes: [AdminRoute] = [
        AdminRoute(.get, "/files") { admin, _ in
            let names = try admin.folder().list()?.files.keys.filter { $0.hasPrefix("__files/") }.sorted() ?? []
            return Response(json: .array(names.map { .string(String($0.dropFirst("__files/".count))) }))
        },
        AdminRoute(.get, below: "/files") { admin, call in
            let name = try call.fileName()
            let folder = try admin.folder()
            do throws(UnreadableFile) {
                let bytes = try folder.read(name)
                let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
                let type = MediaType.byEnding[ending] ?? MediaType.unknown
                return Response(headers: [.contentType: type], body: .bytes(bytes))
            } catch {
                throw AdminProblem(.notFound, "Not found", "\(name) \(error.reason)")
            }
        },
        AdminRoute(.put, below: "/files") { admin, call in
            let name = try call.fileName()
            try admin.writing { folder throws(UnwritableFile) in try folder.write(call.request.body, to: name) }
            return .done
        },
        AdminRoute(.delete, below: "/files") { admin, call in
            let name = try call.fileName()
            var isGone = false
            try admin.writing { folder throws(UnwritableFile) in isGone = try folder.remove(name) }
            guard isGone else { throw AdminProblem.notFound("file \(name)") }
            return .done
        },
    ]

    /// The folder of the routes.
    func folder() throws(AdminProblem) -> RoutesFolder {
        guard let folder = backend.routesFolder else {
            throw AdminProblem(
                .unprocessableContent,
                "No files",
                "there is no folder of routes; start the server with --routes DIR"
            )
        }
        return folder
    }

    /// Changes files in the folder of the routes.
    func writing(_ body: (RoutesFolder) throws(UnwritableFile) -> Void) throws(AdminProblem) {
        let folder = try folder()
        do throws(UnwritableFile) {
            try body(folder)
        } catch {
            throw AdminProblem(.unprocessableContent, "Not written", error.reason)
        }
    }
}

extension AdminCall {
    /// The file that the path names, below the folder of the routes.
    fileprivate func fileName() throws(AdminProblem) -> String {
        let name = request.pathSegments.dropFirst().joined(separator: "/")
        guard !name.isEmpty else { throw .notFound("file") }
        return "__files/\(name)"
    }
}
