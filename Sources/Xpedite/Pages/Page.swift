public import Backlot

// The builder of lists comes with this module: pages need no import of Backlot for it.
@_exported public import struct Backlot.FormErrors
@_exported public import struct Backlot.InputError
@_exported public import enum Backlot.ListBuilder

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A method's response: a whole new screen.
///
/// ```swift
/// page("Customers") {
///     label("Welcome")
///     button("Continue").method("home")
/// }
/// .id("customers").disposition(.permanent)
/// ```
/// Source: Xpedite API reference, Top-level response entries.
public struct Page: Sendable {
    /// The title; nil hides the navigation bar.
    public let title: String?
    /// The components, from top to bottom.
    public var components: [any Component]
    /// The result of the call: with 0 it succeeded, with anything else clients show an error dialog.
    public var rc = 0
    /// The page's name, for caching.
    public var id: String?
    var background: String?
    var keptFor: Disposition?
    var hasNotice = false
    /// Whether the app's frames apply to the page.
    var isFramed = true
    var defaults: Defaults?
    var images: [Preload] = []
    var time: Int?

    init(title: String?, components: [any Component]) {
        self.title = title
        self.components = components
    }

    /// Creates a page, as from ``page(_:_:)``, for places with another member called `page`, such as `var page: Page`.
    public init(_ title: String? = nil, @ListBuilder<any Component> _ components: () -> [any Component]) {
        self.init(title: title, components: components())
    }

    /// Gives the page an id, which `disposition` requires.
    public consuming func id(_ id: String?) -> Page { changing(self) { $0.id = id } }

    /// Lets clients keep the page for a time. The page needs an id.
    public consuming func disposition(_ disposition: Disposition?) -> Page {
        changing(self) { $0.disposition = disposition }
    }

    /// The time that clients keep the page; nil for a page with a notice, since clients would keep the notice too.
    var disposition: Disposition? {
        get { hasNotice ? nil : keptFor }
        set { keptFor = newValue }
    }

    /// Shows a text above the page's components, below its menus and buttons: for example, that something was saved.
    ///
    /// ```swift
    /// app.method(saveCustomer) { entry, call in
    ///     try await customerPage(save(entry)).notice("Saved.")
    /// }
    /// ```
    /// Clients don't keep a page with a notice, regardless of its disposition.
    public consuming func notice(_ text: String?) -> Page {
        notice(text.map { label($0).align(.center).color("#1B5E20").background("#E8F5E9") })
    }

    /// Shows a label as the page's notice.
    public consuming func notice(_ label: Label?) -> Page {
        guard let label else { return consume self }
        hasNotice = true
        let place = components.firstIndex { !($0 is Navigation) } ?? components.count
        components.insert(label, at: place)
        return consume self
    }

    /// Keeps the app's frames, which `XpediteApp.frame` sets, from applying to the page.
    public consuming func unframed() -> Page { changing(self) { $0.isFramed = false } }

    /// Colours the background: `#RRGGBB`.
    public consuming func background(_ color: String?) -> Page { changing(self) { $0.background = color } }

    /// Colours the background.
    public consuming func background(_ color: Color) -> Page { background(color.hex) }

    /// Sets the look of all texts from now on, for the rest of the session.
    public consuming func setDefaults(_ defaults: Defaults?) -> Page { changing(self) { $0.defaults = defaults } }

    /// Loads pictures, for components of this page and of later ones.
    public consuming func images(_ images: [Preload]) -> Page { changing(self) { $0.images = images } }

    /// Tells clients when the server handled the call, in whole seconds.
    public consuming func time(_ date: Date?) -> Page {
        changing(self) { $0.time = date.map { Int($0.timeIntervalSince1970) } }
    }

    /// Sets the result of the call: with 0 it succeeded, with anything else clients show an error dialog.
    public consuming func rc(_ code: Int) -> Page { changing(self) { $0.rc = code } }
}

/// Makes a ``Page``. Without a title it has no navigation bar.
///
/// ```swift
/// page("Customers") {
///     label("Welcome")
///     button("Continue").method("home")
/// }
/// ```
public func page(
    _ title: String? = nil,
    @ListBuilder<any Component> _ components: () -> [any Component]
) -> Page {
    Page(title: title, components: components())
}
