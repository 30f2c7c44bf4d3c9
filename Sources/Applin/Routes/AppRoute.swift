internal import Backlot

/// The route of a page, an rpc or an upload, as a value. Functions such as `app.page(…)` return it, and actions take it as
/// their target.
///
/// ```swift
/// let terms = app.page("/terms") { _ in navPage("Terms") { text("Be kind.") } }
/// let water = app.rpc("/plots/{id}/water", id: Int.self) { id, _ in await plots.water(id) }
/// let plot = app.page("/plots/{id}", id: Int.self) { id, request in
///     formPage("Plot \(id)") {
///         formButton("Water", rpc(water, id: id), poll())
///         navButton("Terms", push(terms))
///     }
/// }
/// // elsewhere: push(plot, id: 7)
/// ```
/// If pages lead to each other, declare their routes first, such as `PageRoute<Int>("/plots/{id}")`, and then add the pages by
/// their ``path``.
public protocol AppRoute<ID>: Sendable {
    /// The type of the path's parameter; `Never` for a path without one.
    associatedtype ID

    /// The path below the app's base URL, with its parameter in braces.
    var path: String { get }
}

/// The type of a path's parameter: a number, a `String`, or a type of yours that can be made from a text.
public typealias RouteID = LosslessStringConvertible & Sendable

extension AppRoute where ID: RouteID {
    /// The path with a value for its parameter.
    func path(to id: ID) -> String {
        guard let start = path.firstIndex(of: "{"), let end = path[start...].firstIndex(of: "}") else { return path }
        return path[..<start] + PercentEncoding.encode(id.description, keeping: "-._~") + path[end...].dropFirst()
    }
}

/// A page as a value, for ``push(_:)-(PageRoute<Never>)`` and ``replaceAll(_:)-(PageRoute<Never>)``.
public struct PageRoute<ID>: AppRoute {
    /// The path below the app's base URL, such as `/plots/{id}`.
    public let path: String

    /// Creates the route of a page that you add with this path.
    public init(_ path: String) { self.path = path }
}

/// An rpc as a value, for ``rpc(_:onUserErrorPoll:)-(RPCRoute<Never>,_)``.
public struct RPCRoute<ID>: AppRoute {
    /// The path below the app's base URL, such as `/plots/{id}/water`.
    public let path: String
    /// Whether the rpc has a `FormValidator`. Polling a page then shows its messages.
    var isChecked = false

    /// Creates the route of an rpc that you add with this path.
    public init(_ path: String) { self.path = path }
}

/// A target for uploaded pictures as a value, for ``choosePhoto(_:aspectRatio:)-(UploadRoute<Never>,_)``.
public struct UploadRoute<ID>: AppRoute {
    /// The path below the app's base URL, such as `/plots/{id}/photo`.
    public let path: String

    /// Creates the route of an upload that you add with this path.
    public init(_ path: String) { self.path = path }
}

extension ApplinApp {
    /// Makes a function that reads the parameter of a path.
    ///
    /// Reports a path without a parameter or with several parameters.
    func reader<ID: RouteID>(
        of path: String,
        _ id: ID.Type,
        _ file: String,
        _ line: Int
    ) -> @Sendable (Request) throws -> ID {
        let names = pathInApp(path).split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
        if names.count != 1 || names[0].hasSuffix("...") {
            let fix = "write one, as in /plots/{id}, or leave out id: and read request.parameters"
            report("'\(path)' must have one parameter for id: \(ID.self): \(fix)", CodeLocation(file: file, line: line))
        }
        let name = String(names.first ?? "")
        return { try $0.parameter(name, as: ID.self) }
    }
}
