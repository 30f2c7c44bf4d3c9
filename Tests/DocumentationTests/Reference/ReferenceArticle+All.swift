import Applin
import Backlot

@testable import BacklotMocks
@testable import DynamicViews
@testable import Floki
@testable import Xpedite

extension ReferenceArticle {
    /// Every generated article.
    static let all = [applin, xpedite, floki, dynamicViews, mocks]

    private static let note =
        "The tables are generated from the vocabulary that checks pages: `make reference` writes this article."

    private static let applin = ReferenceArticle(
        name: "Protocols/ApplinReference",
        title: "Applin: every page, widget and action",
        introduction: """
            Look up each kind, its keys, and the clients that know it.

            ## Overview

            Clients before 0.31 read an action as a string, such as `"push:/terms"` or `"pop"`. Clients since 0.31 read an object, such as \
            `{"typ": "push", "page": "/terms"}`. The keys below are those of the object.

            The pictures show what preview draws; a phone draws much the same. The look depends on the device:

            | dark | Android | right to left |
            |---|---|---|
            | ![A dark page](look-dark) | ![A page on Android](look-android) | ![A page from right to left](look-right-to-left) |

            \(note)
            """,
        kinds: ApplinVocabulary.all.kinds,
        pictures: Dictionary(
            uniqueKeysWithValues: [
                "nav_page", "plain_page", "back_button", "button", "checkbox", "checkbox_button", "column", "empty",
                "error_text",
                "form", "form_button", "form_section", "grouped_row_table", "image", "last_error_text", "nav_button",
                "scroll",
                "selector", "text", "textfield", "modal", "choose_photo",
            ].map { ($0, "applin-\($0)") }
        )
    )

    private static let xpedite = ReferenceArticle(
        name: "Protocols/XpediteReference",
        title: "Xpedite: every component, field and entry",
        introduction: """
            Look up each kind of object in an answer, and its keys.

            ## Overview

            Xpedite's reference doesn't distinguish versions of clients. A log-in is a form in a dialog:

            ![A log-in form in a dialog](xpedite-form-dialog)

            \(note)
            """,
        kinds: XpediteVocabulary.all.kinds,
        pictures: [
            "button": "xpedite-button", "table": "xpedite-table", "form": "xpedite-form",
            "navigation": "xpedite-navigation",
        ]
    )

    private static let floki = ReferenceArticle(
        name: "Protocols/FlokiReference",
        title: "Floki: every object and key",
        introduction: """
            Look up each object of the app data and of feeds, and its keys.

            ## Overview

            The words are those that the public clients for iOS 3.0 and Android 1.1 read.

            \(note)
            """,
        kinds: FlokiVocabulary.all.kinds,
        pictures: [
            "News_view_controller": "floki-news", "Gallery_view_controller": "floki-gallery",
            "Web_view_controller": "floki-web",
            "Movie_view_controller": "floki-movie", "item": "floki-item",
        ]
    )

    private static let dynamicViews = ReferenceArticle(
        name: "Protocols/DynamicViewsReference",
        title: "Dynamic Views: every widget and key",
        introduction: """
            Look up each widget of a document, its keys, and the platforms that know it.

            ## Overview

            A document has one of two styles:

            | style `scroll` | style `list` |
            |---|---|
            | ![A dashboard](views-dashboard) | ![A profile](views-profile) |

            \(note)
            """,
        kinds: DynamicViewsVocabulary.all.kinds
    )

    private static let mocks = ReferenceArticle(
        name: "Mocks/MockReference",
        title: "Mock files: every key",
        introduction: """
            Look up every key of route files, mappings, data files and REST routes.

            ## Overview

            A file such as `books/[id].get.yaml` is a *route file*. A file in `mappings/` is a *mapping*, as WireMock has it: it says with its \
            `request` which URLs it answers. A *data file* is `data/NAME.yaml`, and a *crud file* is `NAME.crud.yaml`. <doc:Mocks> \
            explains how they work together. Keys of pages are in <doc:ApplinReference>. The last sections have the keys of \
            <doc:MockApps>, without those that the protocols have already.

            \(note)
            """,
        kinds: MockVocabulary.kinds(),
        sections: [
            ("Xpedite: NAME.method.yaml", own(MethodFile.format.vocabulary, beside: XpediteVocabulary.all)),
            ("Floki: NAME.floki.yaml", own(AppFileVocabulary.all, beside: FlokiVocabulary.all)),
            ("Dynamic Views: NAME.view.yaml", own(ViewFile.format.vocabulary, beside: DynamicViewsVocabulary.all)),
        ]
    )

    /// The kinds that a file has besides those of its protocol.
    private static func own(_ vocabulary: Vocabulary, beside other: Vocabulary) -> [Kind] {
        vocabulary.kinds.filter { !other.kinds.contains($0) }
    }
}
