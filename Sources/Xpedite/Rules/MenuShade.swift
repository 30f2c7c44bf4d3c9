import BacklotJSON

/// The shade beside a panel.
struct MenuShade: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.parts("navigation") {
            guard let shade = node.object["effects"]?["shade%"], !shade.isNull else { continue }
            if node.object["implementation"]?["style"]?.string == "button" {
                remarks.error(
                    "shade-on-button",
                    node,
                    "effects/shade%",
                    "The menu of a button has no shade.",
                    fix: "Leave out \"shade%\", or make it a panel with the style \"slidefrom\"."
                )
            }
            guard let value = shade.number?.double, (0...100).contains(value) else {
                remarks.error(
                    "shade-out-of-range",
                    node,
                    "effects/shade%",
                    "A shade is 0 to 100 per cent.",
                    fix: "Write a number from 0 to 100."
                )
                continue
            }
        }
    }
}
