import BacklotRedis
import TestSupport
import Testing

@testable import demo_server

struct SessionStoreChoiceTests {
    @Test(arguments: [
        ("memory", SessionStoreChoice.memory),
        ("sqlite:/var/lib/s.sqlite", .sqlite(path: "/var/lib/s.sqlite")),
        ("sqlite:s:1.sqlite", .sqlite(path: "s:1.sqlite")),
        (
            "redis://:secret@cache:7000/2",
            .redis(RedisAddress(host: "cache", port: 7000, database: 2, password: "secret"))
        ),
    ])
    func `A choice is read`(text: String, choice: SessionStoreChoice) throws {
        #expect(try SessionStoreChoice(text) == choice)
    }

    @Test(arguments: [
        ("", SessionStoreChoiceError.unknown("")),
        ("disk", .unknown("disk")),
        ("memory:", .unknown("memory")),
        ("sqlite", .noPath),
        ("sqlite:", .noPath),
        ("redis", .unknown("redis")),
        ("redis://", .redis(.host)),
        ("redis:cache", .redis(.form)),
        ("rediss://cache/0", .redis(.encrypted)),
    ])
    func `A wrong choice is refused`(text: String, error: SessionStoreChoiceError) {
        #expect(throws: error) { try SessionStoreChoice(text) }
    }

    @Test(arguments: [
        (
            ["XDG_STATE_HOME": "/state", "HOME": "/home/ada"],
            SessionStoreChoice.sqlite(path: "/state/backlot/sessions.sqlite")
        ),
        (["HOME": "/home/ada"], .sqlite(path: "/home/ada/.local/state/backlot/sessions.sqlite")),
        (["HOME": ""], .memory),
    ])
    func `Without a choice it is a file below the home folder`(environment: [String: String], usual: SessionStoreChoice)
    {
        #expect(SessionStoreChoice.usual(environment: environment) == usual)
    }

    @Test(arguments: [
        ("redis://:secret@cache:7000/2", "redis://***@cache:7000/2"),
        ("rediss://ada:p@ss@cache/", "rediss://***@cache/"),
        ("redis://cache/0", "redis://cache/0"),
        ("sqlite:/home/a@b/s", "sqlite:/home/a@b/s"),
    ])
    func `No password is shown`(text: String, shown: String) {
        #expect(SessionStoreChoice.hidingPassword(text) == shown)
    }

    @Test(arguments: [
        ("disk", "Error: --sessions: there is no store 'disk': write memory, sqlite:PATH or redis://"),
        ("rediss://:secret@cache/0", "Error: --sessions: rediss:// asks for TLS"),
        ("redis://:secret@cache/web", "Error: --sessions: 'web' is not a database: write its number"),
        (
            "sqlite:/proc/s.sqlite",
            "Error: the sessions can't be kept in /proc/s.sqlite: no file can be made in the folder"
        ),
    ])
    func `demo-server explains a wrong one, and says no password`(choice: String, message: String) throws {
        let outcome = try ServerProcess("demo-server", ["--port", "0", "--sessions", choice]).outcome()
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!outcome.errors.contains("secret"))
        #expect(outcome.output == "")
        #expect(outcome.status != 0)
    }
}
