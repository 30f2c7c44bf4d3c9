"""`demo-server screenshots`: pictures of every page on every device, and what has changed in them."""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest
import urllib.request

from PIL import Image

from server import PROGRAM, MockFolder, Server

MARKUP = "<img src=x onerror=alert(1)><script>alert(1)</script>"


def page(*widgets, title="Page"):
    return json.dumps({"page": {"typ": "nav_page", "title": title, "widget": {"typ": "scroll", "widget": {"typ": "form", "widgets": widgets}}}})


class ScreenshotTest(unittest.TestCase):
    def setUp(self):
        self.mocks = MockFolder()
        self.addCleanup(self.mocks.close)
        self.mocks.page("index", page({"typ": "text", "text": "Welcome"}, title="Home"))
        self.mocks.page("terms", page({"typ": "text", "text": MARKUP}, title="Terms"))
        (self.mocks.path / "shop").mkdir()
        self.mocks.page("shop/index", page({"typ": "nav_button", "text": "Cart", "actions": ["push:/"]}, title="Shop"))
        self.server = Server("mock", "--routes", str(self.mocks.path))
        self.addCleanup(self.server.stop)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def run_command(self, *arguments, **environment):
        return subprocess.run([PROGRAM, "screenshots", *arguments], capture_output=True, text=True, timeout=300, env={**os.environ, **environment})

    def take(self, into, *arguments, url=None):
        return self.run_command(url or self.server.url + "/", "--into", str(self.path / into), *arguments)

    def picture(self, name):
        with Image.open(self.path / name) as picture:
            return picture.convert("RGB")

    def names(self, folder):
        root = self.path / folder
        return sorted(str(file.relative_to(root)) for file in root.rglob("*.png"))

    def test_every_page_on_every_device(self):
        done = self.take("all", url=self.server.url + "/terms")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(self.names("all")), 12)
        self.assertEqual(self.picture("all/terms/ios.png").size, (390, 844))
        self.assertEqual(self.picture("all/terms/tablet-wide.png").size, (1180, 820))
        self.assertEqual(len({self.picture(f"all/terms/{look}.png").tobytes() for look in ["ios", "ios-dark", "pseudo"]}), 3)

    def test_what_has_changed(self):
        first = self.take("before", "--looks", "ios,android")
        self.assertEqual((first.returncode, first.stderr), (0, ""))
        self.assertEqual(self.names("before"), [f"{name}/{look}.png" for name in ["index", "shop", "terms"] for look in ["android", "ios"]])
        same = self.take("same", "--looks", "ios,android", "--compare", str(self.path / "before"))
        self.assertEqual(same.returncode, 0, same.stdout)
        self.assertIn("6 pictures", same.stdout)
        self.assertIn("0 changed, 0 new, 0 gone", same.stdout)
        # One page has another text, one is new.
        self.mocks.page("index", page({"typ": "text", "text": "Welcome!"}, title="Home"))
        self.mocks.page("added", page({"typ": "text", "text": "New"}))
        self.wait_for("added")
        after = self.take("after", "--looks", "ios,android", "--compare", str(self.path / "before"))
        self.assertEqual(after.returncode, 1)
        self.assertRegex(after.stdout, r"index/ios: \d+ of 329160 pixels differ")
        self.assertIn("added/ios: new", after.stdout)
        self.assertNotIn("terms/", after.stdout)
        self.assertIn("2 changed, 2 new, 0 gone", after.stdout)
        self.assertEqual([name for name in self.names("after") if name.startswith("differences/")], ["differences/index/android.png", "differences/index/ios.png"])
        difference = self.picture("after/differences/index/ios.png")
        red = sum(count for count, color in difference.getcolors(1 << 24) if color == (220, 0, 40))
        self.assertTrue(5 < red < 3000, red)

    def wait_for(self, name):
        """Until the server has seen the new file."""
        for _ in range(200):
            try:
                urllib.request.urlopen(f"{self.server.url}/{name}").read()
                return
            except urllib.error.HTTPError:
                time.sleep(0.05)
        self.fail(f"{name} never came")

    def test_a_page_that_is_gone(self):
        self.take("before", "--looks", "ios")
        (self.path / "before/old").mkdir()
        (self.path / "before/terms/ios.png").rename(self.path / "before/old/ios.png")
        done = self.take("after", "--looks", "ios", "--compare", str(self.path / "before"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("old/ios: gone", done.stdout)
        self.assertIn("0 changed, 1 new, 1 gone", done.stdout)
        # Of other pages and devices none is missed.
        for arguments, url in [(["--looks", "android"], "/"), (["--looks", "ios"], "/terms")]:
            done = self.take("again", *arguments, "--compare", str(self.path / "before"), url=self.server.url + url)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("0 gone", done.stdout)

    def script(self, line):
        """A program that is one line of `sh`."""
        script = self.path / "browser"
        script.write_text(f"#!/bin/sh\n{line}\n")
        script.chmod(0o755)
        return str(script)

    def test_nothing_is_left_behind(self):
        script = self.script('chromium "$@"')
        temporary = self.path / "tmp"
        temporary.mkdir()
        for arguments in [[], ["--browser", script], ["--browser", "/bin/true"]]:
            with self.subTest(arguments):
                done = self.run_command(self.server.url + "/terms", "--into", str(self.path / "all"), "--looks", "ios", *arguments, TMPDIR=str(temporary))
                self.assertEqual(done.returncode, int("/bin/true" in arguments), done.stdout + done.stderr)
                self.assertEqual(os.listdir(temporary), [])

    def test_an_interruption_leaves_nothing_behind(self):
        silent = self.script("exec cat <&3 >/dev/null")
        temporary = self.path / "tmp"
        temporary.mkdir()
        for arguments in [[], ["--browser", silent]]:
            with self.subTest(arguments):
                command = [PROGRAM, "screenshots", self.server.url + "/", "--into", str(self.path / "all"), *arguments]
                with subprocess.Popen(command, text=True, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(temporary)}) as running:
                    first = temporary if arguments else self.path / "all"
                    for _ in range(1200):
                        if first.exists() and any(first.iterdir()):
                            break
                        time.sleep(0.05)
                    running.terminate()
                    try:
                        errors = running.communicate(timeout=30)[1]
                    finally:
                        running.kill()
                self.assertEqual((running.returncode, errors), (130, ""))
                self.assertEqual(os.listdir(temporary), [])

    def test_bad_arguments(self):
        for arguments, status, said in [
            (["no url", "--into", "x"], 64, "isn't a URL"),
            ([self.server.url, "--into", str(self.path), "--compare", "/nowhere"], 64, "--compare '/nowhere' isn't a folder"),
            ([self.server.url, "--into", str(self.path), "--compare", str(self.path)], 64, "name the same folder"),
            ([self.server.url, "--into", str(self.path), "--looks", "ios,watch"], 1, "the device 'watch' is unknown: choose from ios, "),
            ([self.server.url, "--into", str(self.path), "--browser", "/nothing"], 1, "/nothing can't be run"),
            ([self.server.url, "--into", str(self.path), "--browser", "nothing-like-it"], 1, "nothing-like-it isn't installed"),
            ([self.server.url, "--into", str(self.path), "--browser", "/bin/true"], 1, "Chromium has ended"),
            (["http://127.0.0.1:9/", "--into", str(self.path)], 1, "can't be opened: net::ERR_"),
            ([self.server.url + "/nothing", "--into", str(self.path), "--looks", "ios"], 1, "preview is not there"),
            ([self.server.url + "/", "--into", "/proc/nowhere", "--looks", "ios"], 1, "can't be written"),
        ]:
            with self.subTest(arguments):
                done = self.run_command(*arguments)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertIn(said, done.stdout + done.stderr)

    def test_no_folder_for_temporary_files(self):
        done = self.run_command(self.server.url, "--into", str(self.path), TMPDIR="/proc")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^Error: /proc/backlot-chromium-.* can't be made: set TMPDIR to a folder that this program may write\.\n$")

    def test_a_picture_that_is_none(self):
        (self.path / "before/terms").mkdir(parents=True)
        (self.path / "before/terms/ios.png").write_text("no picture")
        done = self.take("after", "--looks", "ios", "--compare", str(self.path / "before"), url=self.server.url + "/terms")
        self.assertEqual(done.returncode, 1)
        self.assertIn("terms/ios: not taken: the earlier picture can't be read", done.stdout)


if __name__ == "__main__":
    unittest.main()
