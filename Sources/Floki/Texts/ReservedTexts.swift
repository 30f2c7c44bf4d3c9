/// The texts that clients show where the app has none.
///
/// Source: Floki server protocols, Special string identifiers.
public enum ReservedTexts {
    /// The numbers of these texts.
    public static let range = 10000...10016

    private static let texts = [
        "Share this news...", "Share this picture...", "Copy address", "Send email", "Cancel", "<TITLE>", "<TITLE>",
        #"<A HREF="<URL>"><URL></A>"#, #"<A HREF="<URL>"><URL></A>"#, #"<A HREF="<URL>"><PHOTO_DESC></A>"#,
        "Share this movie...", "<TITLE>", #"<A HREF="<URL>"><URL></A>"#, "Twitter", "Facebook",
        "Browse the sections and select an item", "Sections",
    ]

    /// The text of a number; nil where it isn't one of these.
    public static func text(_ number: Int) -> String? {
        range.contains(number) ? texts[number - range.lowerBound] : nil
    }
}
