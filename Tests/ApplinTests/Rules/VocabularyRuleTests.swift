import Applin
import Testing

/// Findings of the vocabulary about single pages, widgets and actions.
@Suite(.timeLimit(.minutes(5))) struct VocabularyRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases = RuleCase.cases(
        """
        a page without a typ
        - {"widget":{"typ":"text","text":"Hi"}}
        + {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
        error: /p
          This page has no "typ", so clients reject the whole page.
          Fix: Add "typ" with the name of a page, such as "nav_page".
          [missing-typ] at /page

        a widget whose typ is a number
        - {"typ":"plain_page","widget":{"typ":3}}
        + {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
        error: /p › widget
          "typ" is the number 3, but must be a string: clients reject the whole page.
          Fix: Make "typ" a string.
          [wrong-type] at /page/widget/typ

        an unknown page
        - {"typ":"navpage","title":"P","widget":{"typ":"text","text":"Hi"}}
        + {"typ":"nav_page","title":"P","widget":{"typ":"text","text":"Hi"}}
        error: /p
          There is no page "navpage", so clients reject the whole page.
          Fix: Write "nav_page", if that is what you mean.
          [unknown-typ] at /page/typ

        a misspelt widget
        - {"typ":"plain_page","widget":{"typ":"textfeild","var_name":"a"}}
        + {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a"}}
        error: /p › textfeild "a"
          There is no widget "textfeild", so clients reject the whole page.
          Fix: Write "textfield", if that is what you mean.
          [unknown-typ] at /page/widget/typ

        an unknown widget [documented]
        - {"typ":"plain_page","widget":{"typ":"carousel"}}
        + {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
        error: /p › carousel
          There is no widget "carousel", so clients reject the whole page.
          Fix: Write one of back_button, button, checkbox, column, empty, error_text, form, form_button, \
        form_section, grouped_row_table, image, last_error_text, nav_button, scroll, selector, text, \
        textfield.
          [unknown-typ] at /page/widget/typ

        an unknown widget [objects]
        - {"typ":"plain_page","widget":{"typ":"carousel"}}
        + {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
        error: /p › carousel
          There is no widget "carousel", so clients reject the whole page.
          Fix: Write one of back_button, button, checkbox, checkbox_button, column, empty, error_text, \
        form, form_button, form_section, grouped_row_table, image, last_error_text, nav_button, scroll, \
        selector, text, textfield.
          [unknown-typ] at /page/widget/typ

        a table
        - {"typ":"plain_page","widget":{"typ":"table"}}
        + {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[]}}
        error: /p › table
          There is no widget "table", so clients reject the whole page.
          Fix: Write "grouped_row_table", with one group.
          [unknown-typ] at /page/widget/typ

        a widget without a typ among others
        - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"text","text":"Hi"},{"text":"Hello"},
          {"typ":"text","text":"Hi"}]}}
        + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"text","text":"Hi"},{"typ":"text",
          "text":"Hi"}]}}
        error: /p › form › widget "Hello"
          This widget has no "typ", so clients reject the whole page.
          Fix: Add "typ" with the name of a widget, such as "text".
          [missing-typ] at /page/widget/widgets/1

        a misspelt action [documented]
        - ["pusch:/x"]
        + ["push:/x"]
        error: /p › button "Go" › pusch
          There is no action "pusch", so clients reject the whole page.
          Fix: Write "push", if that is what you mean.
          [unknown-action] at /page/widget/actions/0

        a misspelt action [objects]
        - [{"typ":"pusch"}]
        + [{"typ":"push","page":"/x"}]
        error: /p › button "Go" › pusch
          There is no action "pusch", so clients reject the whole page.
          Fix: Write "push", if that is what you mean.
          [unknown-action] at /page/widget/actions/0/typ

        an unknown action [documented]
        - ["explode"]
        + []
        error: /p › button "Go" › explode
          There is no action "explode", so clients reject the whole page.
          Fix: Write one of choose_photo, copy_to_clipboard, launch_url, logout, on_user_error_poll, poll, \
        pop, push, replace_all, rpc, take_photo.
          [unknown-action] at /page/widget/actions/0

        an unknown action [objects]
        - [{"typ":"explode"}]
        + []
        error: /p › button "Go" › explode
          There is no action "explode", so clients reject the whole page.
          Fix: Write one of choose_photo, copy_to_clipboard, launch_url, logout, modal, poll, pop, push, \
        replace_all, reset_var, rpc, stop_actions, take_photo.
          [unknown-action] at /page/widget/actions/0/typ

        an action without a typ [objects]
        - [{"page":"/x"}]
        + [{"typ":"push","page":"/x"}]
        error: /p › button "Go" › action
          This action has no "typ", so clients reject the whole page.
          Fix: Add "typ" with the name of an action, such as "push".
          [missing-typ] at /page/widget/actions/0

        a push to nowhere [documented]
        - ["push"]
        + ["push:/x"]
        error: /p › button "Go" › push
          The action "push" has no page, so clients reject the whole page.
          Fix: Write it after a colon: "push:…".
          [malformed-action] at /page/widget/actions/0

        an rpc with an empty URL [documented]
        - ["rpc:"]
        + ["rpc:/x"]
        error: /p › button "Go" › rpc
          The action "rpc:" has no url, so clients reject the whole page.
          Fix: Write it after a colon: "rpc:…".
          [malformed-action] at /page/widget/actions/0

        a pop with an argument [documented]
        - ["pop:/x"]
        + ["pop"]
        error: /p › button "Go" › pop
          The action pop takes nothing after its name, so clients reject the whole page for "pop:/x".
          Fix: Write "pop".
          [malformed-action] at /page/widget/actions/0

        a push without its page [objects]
        - [{"typ":"push"}]
        + [{"typ":"push","page":"/x"}]
        error: /p › button "Go" › push
          A push needs "page"; without it, clients reject the whole page.
          Fix: Add "page" with a string.
          [missing-key] at /page/widget/actions/0

        an action that is an object [documented]
        - {"typ":"plain_page","widget":{"typ":"nav_button","text":"Terms","actions":[{"typ":"push",
          "page":"/terms"}]}}
        + {"typ":"plain_page","widget":{"typ":"nav_button","text":"Terms","actions":["push:/terms"]}}
        error: /p › nav_button "Terms" › push "/terms"
          The action push is an object, but clients up to 0.30 (the documented dialect) read a string here \
        and reject the whole page.
          Fix: Write "push:/terms".
          [action-of-other-dialect] at /page/widget/actions/0

        an action that is a string [objects]
        - {"typ":"plain_page","widget":{"typ":"nav_button","text":"Terms","actions":["push:/terms"]}}
        + {"typ":"plain_page","widget":{"typ":"nav_button","text":"Terms","actions":[{"typ":"push",
          "page":"/terms"}]}}
        error: /p › nav_button "Terms" › push "/terms"
          The action push is a string, but clients since 0.31 (the objects dialect) read an object here and \
        reject the whole page.
          Fix: Write {"typ":"push","page":"/terms"}.
          [action-of-other-dialect] at /page/widget/actions/0

        a modal in the documented dialect [documented]
        - [{"typ":"modal","title":"Sure?","buttons":[{"text":"OK","actions":[]}]}]
        + []
        error: /p › button "Go" › modal "Sure?"
          The action modal is unknown to clients up to 0.30 (the documented dialect), so they reject the \
        whole page.
          Fix: Use another action, or serve the app in the objects dialect.
          [action-of-other-dialect] at /page/widget/actions/0

        reset_var in the documented dialect [documented]
        - ["reset_var:name"]
        + []
        error: /p › button "Go" › reset_var
          The action reset_var is unknown to clients up to 0.30 (the documented dialect), so they reject \
        the whole page.
          Fix: Use another action, or serve the app in the objects dialect.
          [action-of-other-dialect] at /page/widget/actions/0

        on_user_error_poll as an own action [objects]
        - [{"typ":"rpc","url":"/x"},{"typ":"on_user_error_poll"}]
        + [{"typ":"rpc","url":"/x","on_user_error_poll":true}]
        error: /p › button "Go" › on_user_error_poll
          The action on_user_error_poll is unknown to clients since 0.31 (the objects dialect), so they \
        reject the whole page.
          Fix: Remove it, and write "on_user_error_poll":true into the rpc of this list.
          [action-of-other-dialect] at /page/widget/actions/1

        a checkbox_button in the documented dialect [documented]
        - {"typ":"plain_page","widget":{"typ":"checkbox_button","text":"Big"}}
        + {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"big"}}
        error: /p › checkbox_button "Big"
          The widget checkbox_button is unknown to clients up to 0.30 (the documented dialect), so they \
        reject the whole page.
          Fix: Use another widget, or serve the app in the objects dialect.
          [widget-of-other-dialect] at /page/widget

        validated in the documented dialect [documented]
        - {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","validated":true}}
        + {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a"}}
        warning: /p › textfield "a"
          The key "validated" of a textfield is unknown to clients up to 0.30 (the documented dialect), so \
        they ignore it.
          Fix: Remove it, or serve the app in the objects dialect.
          [key-of-other-dialect] at /page/widget/validated

        a missing var_name
        - {"typ":"plain_page","widget":{"typ":"textfield","label":"Name"}}
        + {"typ":"plain_page","widget":{"typ":"textfield","var_name":"name"}}
        error: /p › textfield
          A textfield needs "var_name"; without it, clients reject the whole page.
          Fix: Add "var_name" with a string.
          [missing-key] at /page/widget

        a null var_name
        - {"typ":"plain_page","widget":{"typ":"checkbox","var_name":null,"text":"I agree"}}
        + {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"agree","text":null}}
        error: /p › checkbox "I agree"
          A checkbox needs "var_name"; without it, clients reject the whole page.
          Fix: Add "var_name" with a string.
          [missing-key] at /page/widget

        a missing url
        - {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"disposition":"fit"}}
        + {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"disposition":"fit","url":"/a.png"}}
        error: /p › image
          An image needs "url"; without it, clients reject the whole page.
          Fix: Add "url" with a string.
          [missing-key] at /page/widget

        a column without align
        - {"typ":"plain_page","widget":{"typ":"column","widgets":[]}}
        + {"typ":"plain_page","widget":{"typ":"column","align":"end","widgets":[]}}
        warning: /p › column
          A column without "align" makes some clients reject the whole page.
          Fix: Add "align":"start", which is what the other clients assume.
          [missing-recommended-key] at /page/widget

        an image without disposition
        - {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"url":"/a.png"}}
        + {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"disposition":"cover","url":"/a.png"}}
        warning: /p › image
          An image without "disposition" makes some clients reject the whole page.
          Fix: Add "disposition":"cover", which is what the other clients assume.
          [missing-recommended-key] at /page/widget

        a button without actions
        - {"typ":"plain_page","widget":{"typ":"button","text":"Go"}}
        + []
        warning: /p › button "Go"
          A button without "actions" makes some clients reject the whole page.
          Fix: Add "actions":[], which is what the other clients assume.
          [missing-recommended-key] at /page/widget

        the documentation's alignment
        - {"typ":"plain_page","widget":{"typ":"column","align":"start","alignment":"end","widgets":[]}}
        + {"typ":"plain_page","widget":{"typ":"column","align":"end","widgets":[]}}
        warning: /p › column
          A column has no key "alignment", so clients ignore it.
          Fix: Write "align", which is the key that clients read.
          [unknown-key] at /page/widget/alignment

        the documentation's rpc of a checkbox
        - {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","rpc":"/ok"}}
        + {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a"}}
        warning: /p › checkbox "a"
          A checkbox has no key "rpc", so clients ignore it.
          Fix: Put an rpc action into "actions": clients dropped the key "rpc" in 0.25.
          [unknown-key] at /page/widget/rpc

        a misspelt key
        - {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","lable":"Name"}}
        + {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","label":"Name"}}
        warning: /p › textfield "a"
          A textfield has no key "lable", so clients ignore it.
          Fix: Write "label", if that is what you mean, or remove it.
          [unknown-key] at /page/widget/lable

        an unknown key
        - {"typ":"plain_page","widget":{"typ":"text","text":"Hi","color":"red"}}
        + {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
        warning: /p › text "Hi"
          A text has no key "color", so clients ignore it.
          Fix: Remove it; clients read only typ, text here.
          [unknown-key] at /page/widget/color

        an unknown key of a widget without keys
        - {"typ":"plain_page","widget":{"typ":"empty","a/b":1}}
        + {"typ":"plain_page","widget":{"typ":"empty"}}
        warning: /p › empty
          An empty has no key "a/b", so clients ignore it.
          Fix: Remove it; clients read only typ here.
          [unknown-key] at /page/widget/a~1b

        a string for a bool
        - {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","initial_bool":"yes"}}
        + {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","initial_bool":true}}
        error: /p › checkbox "a"
          "initial_bool" is the string "yes", but must be true or false: clients reject the whole page.
          Fix: Make "initial_bool" true or false.
          [wrong-type] at /page/widget/initial_bool

        a number for a string
        - {"typ":"plain_page","widget":{"typ":"text","text":5}}
        + {"typ":"plain_page","widget":{"typ":"text","text":"5"}}
        error: /p › text
          "text" is the number 5, but must be a string: clients reject the whole page.
          Fix: Make "text" a string.
          [wrong-type] at /page/widget/text

        a string for a number
        - {"typ":"nav_page","title":"P","poll_seconds":"2","widget":{"typ":"text","text":"Hi"}}
        + {"typ":"nav_page","title":"P","poll_seconds":2,"widget":{"typ":"text","text":"Hi"}}
        error: /p
          "poll_seconds" is the string "2", but must be a whole number from 0 to 4294967295: clients \
        reject the whole page.
          Fix: Make "poll_seconds" a whole number from 0 to 4294967295.
          [wrong-type] at /page/poll_seconds

        a widget for widgets
        - {"typ":"plain_page","widget":{"typ":"form","widgets":{"typ":"text","text":"Hi"}}}
        + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"text","text":"Hi"}]}}
        error: /p › form
          "widgets" is an object, but must be an array of widgets: clients reject the whole page.
          Fix: Make "widgets" an array of widgets.
          [wrong-type] at /page/widget/widgets

        a string among widgets
        - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"text","text":"Hi"},"Hi"]}}
        + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"text","text":"Hi"},{"typ":"text",
          "text":"Hi"}]}}
        error: /p › form
          "widgets"[1] is the string "Hi", but must be a widget: clients reject the whole page.
          Fix: Make "widgets"[1] a widget.
          [wrong-type] at /page/widget/widgets/1

        a number among actions
        - [1]
        + []
        error: /p › button "Go"
          "actions"[0] is the number 1, but must be an action: clients reject the whole page.
          Fix: Make "actions"[0] an action.
          [wrong-type] at /page/widget/actions/0

        null among widgets
        - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"text","text":"Hi"},null]}}
        + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"text","text":"Hi"}]}}
        error: /p › form
          "widgets" holds null at index 1, but must not: clients reject the whole page.
          Fix: Remove the null.
          [null-in-array] at /page/widget/widgets/1

        rows without groups
        - {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[{"typ":"text",
          "text":"Hi"}]]}}
        + {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[[{"typ":"text",
          "text":"Hi"},null]]]}}
        error: /p › grouped_row_table
          "row_groups"[0][0] is an object, but must be an array of widgets: clients reject the whole page.
          Fix: Make "row_groups"[0][0] an array of widgets.
          [wrong-type] at /page/widget/row_groups/0/0

        a string in a cell
        - {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[["A1"]]]}}
        + {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[[{"typ":"text",
          "text":"Hi"}]]]}}
        error: /p › grouped_row_table
          "row_groups"[0][0][0] is the string "A1", but must be a widget or null: clients reject the \
        whole page.
          Fix: Make "row_groups"[0][0][0] a widget or null.
          [wrong-type] at /page/widget/row_groups/0/0/0

        a null row
        - {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[null]]}}
        + {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[[null]]]}}
        error: /p › grouped_row_table
          "row_groups"[0] holds null at index 0, but must not: clients reject the whole page.
          Fix: Remove the null.
          [null-in-array] at /page/widget/row_groups/0/0

        a negative number
        - {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","max_lines":-1}}
        + {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","max_lines":1}}
        error: /p › textfield "a"
          "max_lines" is -1, but must be a whole number from 0 to 4294967295: clients reject the whole page.
          Fix: Make "max_lines" a whole number from 0 to 4294967295.
          [number-out-of-range] at /page/widget/max_lines

        a fraction
        - {"typ":"nav_page","title":"P","poll_seconds":1.5,"widget":{"typ":"text","text":"Hi"}}
        + {"typ":"nav_page","title":"P","poll_seconds":1,"widget":{"typ":"text","text":"Hi"}}
        error: /p
          "poll_seconds" is 1.5, but must be a whole number from 0 to 4294967295: clients reject the \
        whole page.
          Fix: Make "poll_seconds" a whole number from 0 to 4294967295.
          [number-out-of-range] at /page/poll_seconds

        a number beyond 32 bits
        - {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","poll_delay_ms":4294967296}}
        + {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","poll_delay_ms":4294967295}}
        error: /p › checkbox "a"
          "poll_delay_ms" is 4294967296, but must be a whole number from 0 to 4294967295: clients reject \
        the whole page.
          Fix: Make "poll_delay_ms" a whole number from 0 to 4294967295.
          [number-out-of-range] at /page/widget/poll_delay_ms

        an unknown value
        - {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","allow":"phone"}}
        + {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","allow":"tel"}}
        warning: /p › textfield "a"
          "allow" is "phone", which is unknown: clients use their default.
          Fix: Write one of "all", "ascii", "email", "numbers", "tel".
          [unknown-value] at /page/widget/allow

        a misspelt value
        - {"typ":"plain_page","widget":{"typ":"column","align":"centre","widgets":[]}}
        + {"typ":"plain_page","widget":{"typ":"column","align":"center","widgets":[]}}
        warning: /p › column
          "align" is "centre", which is unknown: clients use their default.
          Fix: Write "center", if that is what you mean.
          [unknown-value] at /page/widget/align

        numbers among options
        - {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["1",2],
          "initial_string":"1"}}
        + {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["1","2"],
          "initial_string":"1"}}
        error: /p › selector "a"
          "options"[1] is the number 2, but must be a string: clients reject the whole page.
          Fix: Make "options"[1] a string.
          [wrong-type] at /page/widget/options/1

        a button of a modal without a text [objects]
        - [{"typ":"modal","title":"Sure?","buttons":[{"actions":[]}]}]
        + [{"typ":"modal","title":"Sure?","buttons":[{"text":"!Delete","actions":[]}]}]
        error: /p › button "Go" › modal "Sure?" › button
          A modal's button needs "text"; without it, clients reject the whole page.
          Fix: Add "text" with a string.
          [missing-key] at /page/widget/actions/0/buttons/0
        """
    )
}
