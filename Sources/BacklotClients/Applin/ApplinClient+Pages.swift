internal import Applin
internal import Backlot

extension ApplinClient {
    package static var pages: ComparedPages? {
        ComparedPages(
            contentType: ResponseInspector.pageType,
            inputs: { document in
                let inputs = PageContents(document["page"] ?? .null).inputs
                return inputs.reduce(into: [:]) { $0[$1.name] = $1.initial.bool != nil }
            },
            links: { document, path in
                ApplinRules.links(in: document, path: path, dialect: .objects)
                    .filter { $0.kind == .page && StaticPages.page($0.target) == nil }
                    .map { ($0.target, $0.place) }
            },
            judge: { response, path, base, limits in
                ResponseInspector(dialect: nil, base: base, app: nil, limits: limits)
                    .page(response, path: path).findings
            },
            form: { response, path, limits in
                CrawledPage(response, path: path, dialect: nil, limits: limits).map { page in
                    (page.variables, page.links.filter { $0.kind == .rpc }.map(\.target))
                }
            },
            dialect: { PageContents($0["page"] ?? .null).dialect?.rawValue }
        )
    }
}
