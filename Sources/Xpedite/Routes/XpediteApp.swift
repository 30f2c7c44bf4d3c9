public import Backlot

/// An app that is being mounted. You add its first page, its methods and its tables.
///
/// Clients can't call anything else.
public final class XpediteApp {
    /// The app that a group belongs to; nil for the app itself.
    private let parent: XpediteApp?
    private let guards: [any CallGuard]
    private var frame: PageFrame?
    private var connect: (@Sendable (Device, Call) async throws -> Page)?
    /// The methods of the app and of its groups, with the group of each.
    private var methods: [String: (method: RegisteredMethod, group: XpediteApp)] = [:]
    private let report: (String, CodeLocation) -> Void

    init(
        in parent: XpediteApp? = nil,
        guards: [any CallGuard] = [],
        report: @escaping (String, CodeLocation) -> Void
    ) {
        self.parent = parent
        self.guards = guards
        self.report = report
    }

    /// Sets the first page of a session, for a device that connects.
    ///
    /// ```swift
    /// app.connect { device, call in page("Home") { label("Hello, \(call.session.user ?? "stranger")!") } }
    /// ```
    public func connect(
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Device, Call) async throws -> Page
    ) {
        let source = CodeLocation(file: file, line: line)
        if parent != nil {
            report("app.connect is called in a group: an app has one first page, and everybody gets it", source)
        } else if connect != nil {
            report("app.connect is called twice: an app has one first page", source)
        }
        connect = handler
    }

    /// Sets the first page of a session.
    ///
    /// ```swift
    /// app.connect { device in page("Home") { button("Customers").method("customers") } }
    /// ```
    public func connect(
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Device) async throws -> Page
    ) {
        connect(file: file, line: line) { device, _ in try await handler(device) }
    }

    /// Adds methods with guards. A call must pass all guards before it reaches the method, the first guard outermost.
    ///
    /// ```swift
    /// app.group(RequireLogin("Please log in first.")) { members in
    ///     members.method(addCustomer) { call in page("New customer") { label("Only for members") } }
    /// }
    /// ```
    /// If a guard stops a call, the response has the text of the guard's error, and the form isn't checked.
    ///
    /// - Parameters:
    ///   - guards: the guards for calls. A group in a group has the guards of both.
    ///   - register: adds the methods.
    public func group(_ guards: any CallGuard..., register: (XpediteApp) -> Void) {
        register(XpediteApp(in: self, guards: guards, report: report))
    }

    /// Puts components above and below the components of each page in the app or the group, such as a menu, a heading, or a line
    /// with the user's name.
    ///
    /// ```swift
    /// app.frame { call in
    ///     mainMenu
    ///     if let user = call.session.user { label("Logged in as \(user)").align(.right) }
    /// }
    /// ```
    /// The frame of a group is inside the app's frame. Pages that report failures (`rc` isn't 0) and `page { … }.unframed()` have no
    /// frame.
    ///
    /// - Parameters:
    ///   - above: the components above the page's own.
    ///   - below: the components below them.
    public func frame(
        file: String = #fileID,
        line: Int = #line,
        @ListBuilder<any Component> _ above: @escaping @Sendable (Call) async throws -> [any Component],
        @ListBuilder<any Component> below: @escaping @Sendable (Call) async throws -> [any Component] = { _ in [] }
    ) {
        if frame != nil {
            report("frame is called twice for the same pages: write one frame", CodeLocation(file: file, line: line))
        }
        frame = PageFrame(above: above, below: below)
    }

    func add(_ name: String, _ method: RegisteredMethod, _ source: CodeLocation) {
        add(name, method, of: self, source)
    }

    private func add(_ name: String, _ method: RegisteredMethod, of group: XpediteApp, _ source: CodeLocation) {
        if let parent { return parent.add(name, method, of: group, source) }
        if name == MethodTable.connect {
            report("the method '\(name)' is reserved for the first page: write app.connect { … }", source)
        } else if name.isEmpty {
            report("the name of a method is empty", source)
        } else if methods.updateValue((method, group), forKey: name) != nil {
            report("the method '\(name)' is declared twice", source)
        }
    }

    func report(_ problem: String, at source: CodeLocation) { report(problem, source) }

    /// The added methods, with the guards and frames of their groups. Their closures hold this app, so it releases them.
    func takeTable() -> MethodTable {
        defer { methods = [:] }
        var table = MethodTable(connect: connect)
        if let connect, let frame {
            table.connect = { device, call in try await frame.around(try await connect(device, call), for: call) }
        }
        table.methods = methods.mapValues { method, group in
            var method = method
            let (response, frames) = (method.response, group.frames)
            method.guards = group.allGuards
            guard !frames.isEmpty, !method.isTable else { return method }
            method.response = { call in
                let result = try await response(call)
                guard case .page(var page) = result else { return result }
                for frame in frames { page = try await frame.around(page, for: call) }
                return .page(page)
            }
            return method
        }
        return table
    }

    /// The frames around a page, innermost first.
    private var frames: [PageFrame] { [frame].compactMap(\.self) + (parent?.frames ?? []) }

    private var allGuards: [any CallGuard] { (parent?.allGuards ?? []) + guards }
}

/// Decides which calls reach the methods of a group.
///
/// ```swift
/// struct RequireAdult: CallGuard {
///     func check(_ call: Call) async throws {
///         guard call.session[BirthYearKey.self] ?? 2026 < 2008 else { throw UserError("This is for adults.") }
///     }
/// }
/// ```
public protocol CallGuard: Sendable {
    /// Lets a call pass by returning.
    ///
    /// - Throws: the reason to stop the call, like a handler: clients show the text of a `UserError` or `StatusError`.
    func check(_ call: Call) async throws
}

extension RequireLogin: CallGuard {
    /// Lets a call pass if a user is logged in to its session.
    ///
    /// - Throws: `StatusError` if no user is logged in; clients show its text.
    public func check(_ call: Call) throws { try check(call.session) }
}

/// Components above and below the components of pages.
struct PageFrame: Sendable {
    let above: @Sendable (Call) async throws -> [any Component]
    let below: @Sendable (Call) async throws -> [any Component]

    /// A page with the frame around it.
    func around(_ page: Page, for call: Call) async throws -> Page {
        guard page.rc == 0, page.isFramed else { return page }
        var page = page
        page.components = try await above(call) + page.components + below(call)
        return page
    }
}
