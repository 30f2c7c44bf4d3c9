internal import BacklotJSON
internal import Floki

extension FlokiClient {
    /// The email by which a person shares an entry on the screen, its body in HTML; nil for an entry without `share_url`.
    ///
    /// Source: Floki server protocols, Email text substitution.
    public func email(sharing id: Int) -> (subject: String, body: String)? {
        guard let entry = entries.first(where: { $0.flokiID == id }), let url = entry["share_url"]?.string else {
            return nil
        }
        let caption = entry["caption_text"]?.string ?? ""
        let numbers: (subject: Int, body: Int)
        if entry["class_type"] == "Movie_view_controller" {
            numbers = (10_011, 10_012)
        } else if screen?.className.hasPrefix("Gallery_") == true {
            numbers = (10_006, caption.isEmpty ? 10_008 : 10_009)
        } else {
            numbers = (10_005, 10_007)
        }
        func filled(_ number: Int) -> String {
            (text(number) ?? ReservedTexts.text(number) ?? "")
                .replacing("<TITLE>", with: entry["title"]?.string ?? "")
                .replacing("<URL>", with: url)
                .replacing("<PHOTO_DESC>", with: caption)
        }
        return (filled(numbers.subject), filled(numbers.body))
    }
}
