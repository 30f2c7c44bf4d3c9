import Applin
import Backlot
import BacklotChecks
import Floki
import Testing
import Xpedite

/// Naming versions of clients.
@Suite(.timeLimit(.minutes(5))) struct ClientSelectionTests {
    @Test(arguments: [
        ("applin-ios@0.31", "applin-ios 0.31"),
        ("applin-ios@0.36...", "applin-ios 0.36 to 0.40"),
        ("applin-ios@0.28...0.32.1", "applin-ios 0.28 to 0.32.1"),
        ("applin-ios@...0.0.4", "applin-ios 0.0.0 to 0.0.4"),
        ("applin-ios@0.31,applin-ios@0.36...,applin-ios@0.30", "applin-ios 0.30 to 0.31, 0.36 to 0.40"),
        ("applin-ios", "applin-ios 0.0.0 to 0.40"),
        ("floki, applin-ios@0.40", "applin-ios 0.40; floki"),
        ("dynamic-views-android", "dynamic-views-android"),
    ])
    func `Versions are chosen`(text: String, chosen: String) throws {
        #expect(try ClientSelection(text).description == chosen)
    }

    @Test func `All are every release of every client`() throws {
        #expect(try ClientSelection("all") == .all)
        #expect(ClientSelection.all.clients.map(\.name).contains("xpedite"))
        #expect(ClientSelection.all.clients[0].versions.count == 42)
    }

    @Test(arguments: [
        ("", "a client's name is missing: write one of applin-ios,"),
        ("applin-ios@0.31,", "a client's name is missing"),
        ("@0.31", "'@0.31' names no client: write applin-ios@0.31"),
        ("aplin-ios@0.31", "unknown client 'aplin-ios'; did you mean 'applin-ios'?"),
        ("applin", "unknown client 'applin'; did you mean 'applin-ios'?"),
        ("zzzzz", "unknown client 'zzzzz' (known: applin-ios,"),
        ("applin-ios@", "'' isn't a version of applin-ios"),
        ("applin-ios@new", "'new' isn't a version of applin-ios: write a version, such as applin-ios@0.34"),
        ("applin-ios@0.28..0.30", "with three points"),
        ("applin-ios@...", "'applin-ios@...' has no version: write applin-ios for every release"),
        ("applin-ios@0.41", "applin-ios has no release 0.41: the newest is 0.40"),
        ("applin-ios@0.41...", "applin-ios has no release 0.41: the newest is 0.40"),
        ("applin-ios@0.0.8", "applin-ios has no release 0.0.8: there are 0.0.7 and 0.0.9"),
        ("applin-ios@0.34...0.28", "the range 'applin-ios@0.34...0.28' is empty: write applin-ios@0.28...0.34"),
        ("applin-ios@0.31@0.32", "isn't a version of applin-ios"),
        ("floki@1.0", "the versions of floki aren't distinguished: write floki without '@'"),
    ])
    func `Nonsense is refused with advice`(text: String, advice: String) {
        #expect { _ = try ClientSelection(text) } throws: { error in
            "\(error)".contains(advice)
        }
    }

    @Test func `Clients must speak the backend's protocol and dialect`() throws {
        let clients = try ClientSelection("applin-ios@0.28...0.31,floki")
        #expect(try clients.speaking(.applin, "objects").description == "applin-ios 0.31")
        #expect(try clients.speaking(.floki).description == "floki")
        #expect { _ = try clients.speaking(.xpedite) } throws: { error in
            "\(error)"
                == "applin-ios 0.28 to 0.31; floki can't be used: the backend speaks xpedite, with the clients xpedite"
        }
        #expect { _ = try ClientSelection("applin-ios@0.28").speaking(.applin, "objects") } throws: { error in
            "\(error)" == "applin-ios 0.28 can't read the objects dialect: its clients are 0.31 to 0.40"
        }
    }
}
