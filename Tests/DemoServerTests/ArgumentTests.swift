import TestSupport
import Testing

/// What commands say of wrong arguments: what is wrong, and what to write.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ArgumentTests {
    @Test(
        arguments: [
            (
                "check localhost:8080",
                "'localhost:8080' isn't a usable URL: it doesn't begin with http:// or https://."
            ),
            ("check http://localhost/x", "a base URL ends in a slash, as in http://127.0.0.1:8080/travel/."),
            ("check http://localhost/ --max-pages 0", "--max-pages is 0: write a number from 1 to 100000."),
            (
                "check http://localhost/ --max-seconds 0",
                "--max-seconds is 0.0: write a number of seconds from 0.1 to 86400."
            ),
            ("check http://localhost/ --slow-ms 0", "--slow-ms is 0: write a number of milliseconds from 1 to 600000."),
            ("check http://localhost/ --timeout nan", "--timeout is nan: write a number of seconds from 0.1 to 600."),
            ("check http://localhost/ --format xml", "The value 'xml' is invalid for '--format <format>'."),
            ("check http://localhost/ --dialect both", "The value 'both' is invalid for '--dialect <dialect>'."),
            (
                "check https://localhost/ --certificates x.pem --trust-anyone",
                "--certificates and --trust-anyone exclude each other: write one of them."
            ),
            (
                "check http://localhost/ --trust-anyone",
                "--certificates and --trust-anyone are for https: http://localhost/ has no certificate."
            ),
            (
                "check http://localhost/ --mocks-only",
                "--allow-webhooks are for the check in this process: leave out the URL."
            ),
            ("check http://localhost/ --routes Routes", "are for the check in this process: leave out the URL."),
            ("check http://localhost/ --public Public", "are for the check in this process: leave out the URL."),
            ("check http://localhost/ --keep-going", "are for the check in this process: leave out the URL."),
            ("check http://localhost/ --seed 1", "are for the check in this process: leave out the URL."),
            (
                "check http://localhost/ --now 2026-12-24T18:00:00Z",
                "are for the check in this process: leave out the URL."
            ),
            ("check http://localhost/ --shared-state", "are for the check in this process: leave out the URL."),
            ("check http://localhost/ --state-by cookie", "are for the check in this process: leave out the URL."),
            ("check http://localhost/ --allow-webhooks a:1", "are for the check in this process: leave out the URL."),
            ("check --rpc", "--rpc, --format, --least and --expect are for a crawl: write the URL of a backend too."),
            ("check --least error", "--least and --expect are for a crawl: write the URL of a backend too."),
            ("check --expect dead-link", "--least and --expect are for a crawl: write the URL of a backend too."),
            (
                "check --protocol applin",
                "--protocol, --dialect, --slow-ms, --max-pages, --max-seconds and --timeout are for a crawl"
            ),
            ("check --dialect objects", "are for a crawl: write the URL of a backend too."),
            ("check --slow-ms 5", "are for a crawl: write the URL of a backend too."),
            ("check --mocks-only --max-pages 5", "are for a crawl: write the URL of a backend too."),
            ("check --max-seconds 5", "are for a crawl: write the URL of a backend too."),
            ("check --timeout 5", "are for a crawl: write the URL of a backend too."),
            ("check http://127.0.0.1:1/ --least breaking", "'error', 'warning' or 'note'"),
            ("check http://127.0.0.1:1/ --expect Oops", "can't be expected: write the rule, and perhaps a path"),
            ("check http://127.0.0.1:1/ --expect dead-link:books", "its path begins with no slash"),
            (
                "check http://localhost/ --clients aplin-ios@0.31",
                "--clients: unknown client 'aplin-ios'; did you mean 'applin-ios'? (known: applin-ios, xpedite, floki, "
            ),
            (
                "check http://localhost/ --clients applin-ios@0.41",
                "applin-ios has no release 0.41: the newest is 0.40."
            ),
            (
                "check http://localhost/ --clients applin-ios@0.34...0.28",
                "the range 'applin-ios@0.34...0.28' is empty: write applin-ios@0.28...0.34."
            ),
            (
                "check http://localhost/ --protocol applin --dialect objects --clients applin-ios@0.28",
                "applin-ios 0.28 can't read the objects dialect: its clients are 0.31 to 0.40."
            ),
            (
                "check http://localhost/x --protocol xpedite --clients applin-ios",
                "can't be used: the backend speaks xpedite, with the clients xpedite."
            ),
            (
                "check --clients all",
                "--clients is for a crawl, or for mock pages: write the URL of a backend, or --mocks-only."
            ),
            (
                "check http://localhost/ --client-field X-Version",
                "--client-field sends the versions that --clients names: write --clients too."
            ),
            (
                "check http://localhost/ --clients all --client-field Host",
                "--client-field is 'Host': write the name of a field, such as X-Client-Version."
            ),
            ("diff http://a/", "http://a/ needs a counterpart: write a second URL, or --baseline FILE."),
            ("diff http://a/ b", "'b' isn't a usable URL"),
            ("diff http://a/ http://b/ --record", "--record crawls A alone, for a file"),
            (
                "diff http://a/ --record --baseline /nowhere/a.json",
                "--baseline '/nowhere/a.json': the folder '/nowhere' doesn't exist. Make it first."
            ),
            ("diff http://a/ http://b/ --baseline /nowhere/a.json", "the folder '/nowhere' doesn't exist."),
            ("diff http://a/ --record --baseline /tmp", "--baseline '/tmp': this is a folder. Name a file in it."),
            (
                "diff http://a/ --baseline /nowhere/a.json",
                "--baseline: '/nowhere/a.json' doesn't exist: write one with"
            ),
            ("diff http://a/ http://b/ --max-pages 0", "--max-pages is 0: write a number from 1 to 100000."),
            ("diff http://a/ http://b/ --trust-anyone", "are for https: no URL here begins with it."),
            ("diff http://a/ http://b/ --least bad", "'breaking', 'visible' or 'neutral'"),
            ("explore http://127.0.0.1:1/ --seed x", "'--seed <seed>'"),
            ("explore http://127.0.0.1:1/ --minutes 0", "--minutes is 0.0"),
            ("explore http://127.0.0.1:1/ --minutes nan", "--minutes is nan"),
            ("explore http://127.0.0.1:1/ --now soon", "'soon' is no time: write one such as 2026-12-24T18:00:00Z"),
            ("explore http://127.0.0.1:1/ --forbid pay", "begins with no slash"),
            ("explore http://127.0.0.1:1/ --forbid /pay?a=b", "has a query"),
            ("explore http://127.0.0.1:1/ --parallel 0", "--parallel is 0"),
            ("explore http://127.0.0.1:1/ --steps 0", "--steps is 0"),
            ("explore http://127.0.0.1:1/ --slow-ms 0", "--slow-ms is 0"),
            ("explore http://127.0.0.1:1/ --expect Oops", "can't be expected"),
            ("explore http://127.0.0.1:1/ --format xml", "'json', 'junit' or 'sarif'"),
            ("explore http://127.0.0.1:1/ --timeout 0", "--timeout is 0.0"),
            ("load http://127.0.0.1:1/ --phones 0", "0 phones: write a number from 1 to 1,000,000"),
            ("load http://127.0.0.1:1/ --phones many", "--phones"),
            ("load http://127.0.0.1:1/ --rate 0", "a rate is from 0.001"),
            ("load http://127.0.0.1:1/ --rate nan", "--rate is nan"),
            ("load http://127.0.0.1:1/ --rate 5 --think 2", "--rate and --think exclude each other"),
            ("load http://127.0.0.1:1/ --ramp=-3", "a ramp takes from 0 seconds"),
            ("load http://127.0.0.1:1/ --seconds inf", "--seconds is inf"),
            ("load http://127.0.0.1:1/ --seconds 1e18", "--seconds is"),
            ("load http://127.0.0.1:1/ --waves 0", "from 1 to 10,000 waves"),
            ("load http://127.0.0.1:1/ --abort-on p99>fast", "--abort-on: 'fast' isn't a limit"),
            ("load http://127.0.0.1:1/ --connections 99999", "ulimit -n"),
            (
                "load http://127.0.0.1:1/ --flow /nowhere.json",
                "--flow '/nowhere.json' can't be read: name an existing file"
            ),
            ("load http://127.0.0.1:1/ --report /nowhere/report.html", "the folder '/nowhere' doesn't exist"),
            ("load http://127.0.0.1:1/ --report /tmp", "this is a folder"),
            // Root may not write there either.
            (
                "load http://127.0.0.1:1/ --report /proc/sys/report.html",
                "--report '/proc/sys/report.html': this user may not write into '/proc/sys'. Name another folder."
            ),
            ("load nonsense", "isn't a usable URL"),
            ("load http://192.0.2.1/", "--i-own-this"),
            ("load http://127.0.0.1:1/ --metrics http://192.0.2.1/", "--i-own-this"),
            ("views check", "Missing expected argument '<files> ...'"),
            ("views check x.json --dialect windows", "The value 'windows' is invalid for '--dialect <dialect>'."),
            ("views check x.json --texts none", "--texts 'none' can't be read: name an existing file"),
            ("views check x.json --images Public", "--images 'Public' is a folder: name a file in it."),
            (
                "views check x.json --images Public/image.png",
                "--images Public/image.png lists no names: it is not UTF-8."
            ),
            ("views list --names pictures", "The value 'pictures' is invalid for '--names <names>'."),
            (
                "screenshots http://127.0.0.1:1/ --into x --compare nowhere",
                "--compare 'nowhere' isn't a folder: name that of an earlier run."
            ),
            (
                "screenshots http://127.0.0.1:1/ --into x --compare Package.swift",
                "--compare 'Package.swift' isn't a folder: name that of an earlier run."
            ),
            ("--host nowhere", "Error: --host is 'nowhere': write an IP address such as 127.0.0.1, ::1 or 0.0.0.0"),
            ("--port 65536", "Error: --port is '65536': write a number from 0 to 65535, 0 for a free one."),
            ("--port web", "Error: --port is 'web': write a number from 0 to 65535, 0 for a free one."),
            (
                "--log-level loud",
                "Error: --log-level is 'loud': write one of trace, debug, info, notice, warning, error"
            ),
            ("--drain-delay -1", "Error: Missing value for '--drain-delay <seconds>'"),
            ("--drain-delay 3601", "Error: --drain-delay is '3601': write a number of seconds from 0 to 3600."),
            ("--public nowhere", "Error: --public is 'nowhere': this folder doesn't exist."),
            ("--prot 1", "Error: Unknown option '--prot'. Did you mean '--port'?"),
            (
                "--tls-cert none.pem --port 0",
                "Error: --tls-cert names one certificate, and --tls-key no key: name one key"
            ),
            (
                "--tls-cert none.pem --tls-key none.pem --port 0",
                "Error: TLS: 'none.pem' can't be read (No such file or directory): name a file that exists"
            ),
            (
                "--redirect-to-https 0 --port 0",
                "Error: --redirect-to-https is '0', but the server doesn't speak https: set"
            ),
        ]
    )
    func `Wrong arguments are explained, and end with 64`(line: String, message: String) throws {
        let outcome = try ServerProcess("demo-server", line.split(separator: " ").map(String.init)).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.output == "")
    }
}
