public import Backlot
import BacklotJSON

/// What a method answers with: a whole new screen.
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
    /// What clients are told of how the call went: 0 is success, anything else shows an error dialog.
    public var rc = 0
    /// What the page is called, for caching.
    public var id: String?
    var background: String?
    var disposition: Disposition?
    var defaults: Defaults?
    var images: [Preload] = []
    var time: Int?

    init(title: String?, components: [any Component]) {
        self.title = title
        self.components = components
    }

    /// Calls the page something, as `disposition` requires.
    public consuming func id(_ id: String?) -> Page {
        self.id = id
        return consume self
    }

    /// Says for how long clients keep the page. It needs an id.
    public consuming func disposition(_ disposition: Disposition?) -> Page {
        self.disposition = disposition
        return consume self
    }

    /// Colours the background: `#RRGGBB`.
    public consuming func background(_ color: String?) -> Page {
        background = color
        return consume self
    }

    /// Says how texts look from now on, for the rest of the session.
    public consuming func setDefaults(_ defaults: Defaults?) -> Page {
        self.defaults = defaults
        return consume self
    }

    /// Loads pictures, for components of this page and of later ones.
    public consuming func images(_ images: [Preload]) -> Page {
        self.images = images
        return consume self
    }

    /// Says when the server handled the call, in seconds since 1970.
    public consuming func time(_ seconds: Int?) -> Page {
        time = seconds
        return consume self
    }

    /// Says how the call went: 0 is success, with anything else clients show an error dialog.
    public consuming func rc(_ code: Int) -> Page {
        rc = code
        return consume self
    }
}

/// Makes a ``Page``. Without a title it has no navigation bar.
public func page(
    _ title: String? = nil,
    @ListBuilder<any Component> _ components: () -> [any Component]
) -> Page {
    Page(title: title, components: components())
}
