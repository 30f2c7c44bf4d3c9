import Backlot
import BacklotTesting
import ClientTestSupport
import Testing

/// The drawing and the texts of every widget.
@Suite(.timeLimit(.minutes(5))) struct PageDrawingTests {
    private let widgets = [
        #"{"typ":"text","text":"Two\nlines"}"#,
        #"{"typ":"error_text","text":"Wrong: ${INTERACTIVE_ERROR_DETAILS}!"}"#,
        #"{"typ":"last_error_text"}"#,
        #"{"typ":"button","text":"Button","actions":[]}"#,
        #"{"typ":"nav_button","text":"Nav","sub_text":"sub","badge_text":"5","photo_url":"/p.png","actions":["push:/a"]}"#,
        #"{"typ":"textfield","var_name":"t","error":"Too short."}"#,
        #"{"typ":"checkbox","var_name":"c","actions":["poll"]}"#,
        #"{"typ":"image","url":"/i.png","aspect_ratio":1,"disposition":"fit"}"#,
        #"{"typ":"empty"}"#,
        #"{"typ":"column","align":"start","widgets":[{"typ":"text","text":"in"}]}"#,
        #"{"typ":"grouped_row_table","row_groups":[[[{"typ":"text","text":"a"},null]]]}"#,
        Backend.button("Go", #""rpc:/no""#),
    ]

    @Test func `Each widget is a line`() async throws {
        let backend = Backend()
        backend.page("/", Backend.form(widgets))
        backend.status("/no", .unprocessableContent, "No.")
        let app = try await backend.launched()
        try await app.tap("Go")
        try await app.back()
        try app.expectScreen(
            """
            /: nav_page "A Page"
              scroll
                form
                  text "Two\\nlines"
                  error_text "Wrong: No.!"
                  last_error_text "Error details not found."
                  button "Button" (disabled)
                  nav_button "Nav", sub_text "sub", badge_text "5", photo_url "/p.png" → push /a
                  textfield (t): "", error "Too short."
                  checkbox "" (c): off → poll
                  image /i.png
                  empty
                  column
                    text "in"
                  grouped_row_table
                    text "a"
                  form_button "Go" → rpc /no
            """
        )
        #expect(
            app.texts == [
                "Two\nlines", "Wrong: No.!", "Error details not found.", "Button", "Nav", "sub", "5", "Too short.",
                "in", "a",
                "Go",
            ]
        )
        #expect(app.errors == ["Wrong: No.!", "Too short."])
        #expect(app.buttons == ["Nav", "Go"])
    }
}
