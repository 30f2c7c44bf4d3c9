import Testing

@testable import BacklotTesting

struct NearestMatchTests {
    @Test(arguments: [
        ("Create", "Create Account"), ("create account", "Create Account"), ("Creat Acount", "Create Account"),
        ("Log Out", "Log out"), ("Acount", nil), ("Account", "Account settings"), ("Trems", "Terms"),
        ("Create Account now", "Create Account"), ("elbow", nil), ("somebody", nil), ("ings", "Account settings"),
        ("", nil), ("x", nil),
    ])
    func `The nearest is what was perhaps meant`(text: String, nearest: String?) {
        let candidates = ["Terms", "Create Account", "Log out", "Account settings", ""]
        #expect(NearestMatch.nearest(to: text, among: candidates) == nearest)
    }
}
