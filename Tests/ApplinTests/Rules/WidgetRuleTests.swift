import Applin
import Testing

/// Rules about single widgets.
@Suite(.timeLimit(.minutes(5))) struct WidgetRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases = RuleCase.cases(
        """
        a blank button
        - {"typ":"plain_page","widget":{"typ":"button","text":" \u{A0}","actions":[]}}
        + {"typ":"plain_page","widget":{"typ":"button","text":" x","actions":[]}}
        error: /p › button " \u{A0}"
          The text of a button must hold a symbol other than white space, but it is " \u{A0}".
          Fix: Write what a tap does.
          [blank-button-text] at /page/widget/text

        a blank form_button
        - {"typ":"plain_page","widget":{"typ":"form_button","text":" \u{A0}","actions":[]}}
        + {"typ":"plain_page","widget":{"typ":"form_button","text":" x","actions":[]}}
        error: /p › form_button " \u{A0}"
          The text of a form_button must hold a symbol other than white space, but it is " \u{A0}".
          Fix: Write what a tap does.
          [blank-button-text] at /page/widget/text

        a blank nav_button
        - {"typ":"plain_page","widget":{"typ":"nav_button","text":" \u{A0}","actions":[]}}
        + {"typ":"plain_page","widget":{"typ":"nav_button","text":" x","actions":[]}}
        error: /p › nav_button " \u{A0}"
          The text of a nav_button must hold a symbol other than white space, but it is " \u{A0}".
          Fix: Write what a tap does.
          [blank-button-text] at /page/widget/text

        an image without height
        - {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":0,"disposition":"fit","url":"/a.png"}}
        + {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":0.5,"disposition":"fit","url":"/a.png"}}
        error: /p › image
          "aspect_ratio" is the width divided by the height, but here it is 0.
          Fix: Write a number above 0, such as 1.5.
          [aspect-ratio-not-positive] at /page/widget/aspect_ratio

        a negative aspect ratio of a photo [objects]
        - [{"typ":"take_photo","url":"/photo","aspect_ratio":-1.5}]
        + [{"typ":"take_photo","url":"/photo","aspect_ratio":1.5}]
        error: /p › button "Go" › take_photo "/photo"
          "aspect_ratio" is the width divided by the height, but here it is -1.5.
          Fix: Write a number above 0, such as 1.5.
          [aspect-ratio-not-positive] at /page/widget/actions/0/aspect_ratio

        a selector without an initial string
        - {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["Red","Blue"]}}
        + {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["Red"],
          "initial_string":"Red"}}
        warning: /p › selector "a"
          The selector shows "Red", but sends "" until somebody touches it.
          Fix: Add "initial_string", for instance with "Red".
          [selector-without-initial-string] at /page/widget/options

        a second choice without an initial string
        - {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","var_name1":"b","options":["Red"],
          "initial_string":"Red","options1":["S","M"]}}
        + {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","var_name1":"b","options":["Red"],
          "initial_string":"Red","options1":["S","M"],"initial_string1":"M"}}
        warning: /p › selector "a"
          The selector shows "S", but sends "" until somebody touches it.
          Fix: Add "initial_string1", for instance with "S".
          [selector-without-initial-string] at /page/widget/options1

        an empty list of actions
        - {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","actions":[]}}
        + {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a"}}
        warning: /p › checkbox "a"
          By the documentation, an empty list of actions disables a checkbox, but released clients leave it enabled.
          Fix: Remove "actions"; show a text where nothing can be changed.
          [empty-checkbox-actions] at /page/widget/actions

        a selector without options
        - {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":[]}}
        + {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["Red"],"initial_string":"Red"}}
        warning: /p › selector "a"
          The selector has no options, so nobody can choose anything.
          Fix: Add "options", or show a text instead of the selector.
          [selector-without-options] at /page/widget/options

        an initial string that is no option
        - {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["Red"],"initial_string":"red"}}
        + {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["Red"],"initial_string":"Red"}}
        warning: /p › selector "a"
          "red" isn't one of the options: the selector shows "Red", but sends "red" until somebody touches it.
          Fix: Write one of the options, such as "Red".
          [initial-string-not-an-option] at /page/widget/initial_string
        """
    )
}
