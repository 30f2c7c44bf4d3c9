"""The shop's dashboard and profile, and documents that clients refuse or hardly expect."""

import json
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from canned import canned
from contrast import faint
from phone import PhoneTestCase

DASHBOARD = "/views/dashboard.json"
PROFILE = "/views/profile.json"


def document(*widgets, **configuration):
    return {"configuration": configuration, "widgets": list(widgets)}


def android_document(*widgets):
    return document(*({"padding": [0], **widget} for widget in widgets), image="", style="list", padding=[0])


class ViewsTest(PhoneTestCase):
    def setUp(self):
        self.choose(platform="iOS", theme="Light", text="Normal", direction="Left to right")

    def choose(self, **choices):
        """Chooses how the phone looks; before a page is open, for the next one."""
        self.choices = {**getattr(self, "choices", {}), **choices}
        for name, value in choices.items():
            self.phone.script(
                """
                const select = document.querySelector(`[data-choice=${arguments[0]}]`);
                if (!select) return;
                select.value = arguments[1];
                select.dispatchEvent(new Event("change"));
                """,
                name,
                value,
            )

    def open(self, path):
        self.phone.open(path)
        self.choose(**self.choices)
        self.phone.wait(lambda: self.phone.is_calm)

    @property
    def bodies(self):
        """The interactions, in their order."""
        steps = self.phone.script("return sessionStorage.getItem(Object.keys(sessionStorage).find((key) => key.endsWith(':steps')))")
        return [step["body"] for step in json.loads(steps or "[]") if step["do"] == "interact"]

    def widgets(self):
        """The types of the widgets in the document that is shown."""
        return self.phone.script("return [...document.querySelectorAll('.tree .typ')].map((typ) => typ.textContent)")

    def interactions(self):
        """How many were sent."""
        return self.phone.script(
            "return [...document.querySelectorAll('.exchange')].filter((row) => row.querySelector('.note').textContent === 'interaction').length"
        )

    def shows(self, selector):
        return self.phone.script("return document.querySelector(arguments[0]) !== null", selector)

    def tap(self, text):
        phone = self.phone
        phone.wait(lambda: phone.is_calm)
        phone.script("[...document.querySelectorAll('.app .tap, .app .button')].find((one) => one.textContent.startsWith(arguments[0])).click()", text)
        phone.wait(lambda: phone.is_calm)

    def test_the_dashboard(self):
        phone = self.phone
        self.open(DASHBOARD)
        phone.tab("Tree")
        before = self.widgets()
        self.assertIn("snabble.locationPermission", before)
        # What is tapped is sent back, and the server's next document shows it.
        for button in ["Location", "Connect to the store's Wi-Fi"]:
            self.tap(button)
        phone.wait(lambda: "snabble.locationPermission" not in self.widgets() and "snabble.connectWifi" not in self.widgets(), "the next document")
        self.tap("Start shopping")
        phone.wait(lambda: phone.is_calm)
        self.assertEqual(self.interactions(), 3)
        phone.script("document.querySelector('.receipt')?.click()")
        phone.wait(lambda: self.interactions() == 4, "the receipt")
        # Pictures and texts are tapped too.
        self.tap("Dashboard.title")
        phone.script("document.querySelector('.image .tap').click()")
        phone.wait(lambda: self.interactions() == 6 and phone.is_calm, "the taps")
        self.assertEqual(
            self.bodies,
            [
                {"widgetId": "Snabble.LocationPermission.notDetermined"},
                {"widgetId": "7"},
                {"widgetId": "5"},
                {"widgetId": "11", "userInfo": {"id": "10001"}},
                {"widgetId": "2"},
                {"widgetId": "1"},
            ],
        )
        self.assertNotIn("The server answered", phone.problem)

    def enter_password(self, password):
        self.phone.wait(lambda: self.shows(".layer input"), "the question")
        self.driver.find_element(By.CSS_SELECTOR, ".layer input").send_keys(password)

    def tap_version(self, times):
        for _ in range(times):
            self.phone.script("document.querySelector('.version .tap').click()")

    def test_the_profile(self):
        phone = self.phone
        self.open(PROFILE)
        phone.script("document.querySelector('.toggle input').click()")
        phone.wait(lambda: self.interactions() == 1 and phone.is_calm, "the toggle")
        # Five taps on the version ask for the password; only the right one turns developer mode on.
        self.tap_version(4)
        self.assertFalse(self.shows(".layer"))
        self.tap_version(1)
        self.enter_password("wrong" + Keys.ENTER)
        phone.wait(lambda: not self.shows(".layer"), "the end of the question")
        self.assertFalse(self.shows(".app select"))
        self.assertIn("isn't the password", phone.problem)
        self.tap_version(5)
        self.enter_password(Keys.ESCAPE)
        phone.wait(lambda: not self.shows(".layer"), "the end of the question")
        self.tap_version(5)
        self.enter_password("Snabble" + Keys.ENTER)
        phone.wait(lambda: self.shows(".app select"), "developer mode")
        phone.wait(lambda: self.interactions() == 16 and phone.is_calm, "the taps")
        self.assertEqual(self.bodies[1:], [{"widgetId": "version"}] * 15)
        select = self.driver.find_element(By.CSS_SELECTOR, ".app select")
        phone.script("arguments[0].selectedIndex = 1; arguments[0].dispatchEvent(new Event('change'))", select)
        phone.wait(lambda: self.interactions() == 17 and phone.is_calm, "the choice")
        self.assertEqual(self.bodies[0], {"widgetId": "onboarding", "userInfo": {"io.snabble.sample.showOnboarding": True}})
        self.assertEqual(self.bodies[-1], {"widgetId": "io.snabble.environment", "userInfo": {"value": "io.snabble.environment.staging"}})
        self.assertNotIn("The server answered", phone.problem)
        # The device remembers all of it.
        self.driver.refresh()
        phone.wait(lambda: phone.is_calm and phone.script("return document.querySelector('.toggle input')?.checked"), "the toggle")
        self.assertEqual(phone.script("return document.querySelector('.app select').selectedIndex"), 1)

    def test_the_keyboard_keeps_its_place(self):
        phone = self.phone
        self.open(PROFILE)
        press = lambda *keys: ActionChains(self.driver).send_keys(*keys).perform()
        is_there = lambda selector: phone.script("return document.activeElement.matches(arguments[0])", selector)
        phone.script("document.querySelector('.toggle input').focus()")
        for count in [1, 2]:
            press(Keys.SPACE)
            phone.wait(lambda: self.interactions() == count and phone.is_calm, "the toggle")
            self.assertTrue(is_there(".toggle input"))
        # The question for the password gives the focus back, with developer mode and without.
        for answer in [Keys.ESCAPE, "Snabble" + Keys.ENTER]:
            phone.script("document.querySelector('.version .tap').focus()")
            self.tap_version(5)
            phone.wait(lambda: is_there(".layer input") and phone.is_calm, "the question")
            press(*answer)
            phone.wait(lambda: not self.shows(".layer"), "the end of the question")
            self.assertTrue(is_there(".version .tap"))
        phone.wait(lambda: phone.is_calm)

    def test_navigation(self):
        phone = self.phone
        self.open(PROFILE)
        self.assertFalse(self.shows(".back"))
        self.tap("Profile.start")
        phone.wait_for("Dashboard.title")
        self.tap("Start shopping")
        phone.wait_for("Dashboard.shopping")
        phone.tap("Back")
        phone.wait_for("Profile.start")
        self.assertFalse(self.shows(".back"))
        self.assertEqual(self.bodies, [{"widgetId": "5"}])

    def test_android(self):
        phone = self.phone
        self.open(PROFILE)
        # Another phone asks for its own document.
        self.choose(platform="Android")
        phone.wait_for("Profile.developers")
        self.assertNotIn("Profile.start", phone.text)
        phone.script("document.querySelector('.toggle input').click()")
        select = self.driver.find_element(By.CSS_SELECTOR, ".app select")
        phone.script("arguments[0].selectedIndex = 1; arguments[0].dispatchEvent(new Event('change'))", select)
        phone.wait_for("Profile.Environment.staging")
        for text in ["Profile.developerMode", "User ID", "Client ID"]:
            self.tap(text)
        self.tap_version(5)
        self.enter_password(Keys.ESCAPE)
        phone.wait(lambda: self.interactions() == 10 and phone.is_calm, "the taps")
        self.assertEqual(
            self.bodies[:5],
            [
                {"widgetId": "onboarding", "userInfo": {"checked": True}},
                {"widgetId": "io.snabble.environment", "userInfo": {"selection": "io.snabble.environment.staging"}},
                {"widgetId": "io.snabble.developerMode"},
                {"widgetId": "appUserId"},
                {"widgetId": "clientId"},
            ],
        )
        self.assertNotIn("The server answered", phone.problem)
        # Its rows have neither a card nor lines, and its switch has an outline.
        style = "const style = getComputedStyle(document.querySelector(arguments[0])); return [style.backgroundColor, style.borderTopWidth]"
        self.assertEqual(phone.script(style, ".section .card")[0], "rgba(0, 0, 0, 0)")
        self.assertEqual(phone.script(style, ".section .card > * + *")[1], "0px")
        self.assertNotEqual(phone.script(style, ".knob")[1], "0px")
        self.open(DASHBOARD)
        phone.wait_for("Dashboard.customerCard")
        self.tap("Customer card")
        self.assertEqual(self.bodies[-1], {"widgetId": "8"})
        # The address says more than the phone.
        self.choose(platform="iOS")
        self.open(PROFILE + "?dialect=android")
        phone.wait_for("Client ID")

    def test_documents_that_each_platform_refuses(self):
        phone = self.phone
        both = {"type": "text", "id": "1", "text": "Both"}
        navigation = {"type": "navigation", "id": "2", "text": "More", "resource": "more"}
        device = {"type": "snabble.clientId", "id": "3"}
        cases = [
            ("iOS", document(both, navigation), True),
            ("iOS", document(both, device), False),
            ("iOS", document({**both, "text": 5}), False),
            ("Android", android_document(both, device), True),
            ("Android", android_document(both, navigation), False),
            ("Android", android_document(both, {"type": "version", "id": "4"}), False),
            ("Android", document(both), False),
        ]
        for platform, body, is_shown in cases:
            with self.subTest(body, platform=platform), canned(self.driver, {DASHBOARD: [body]}):
                self.choose(platform=platform)
                self.open(DASHBOARD)
                phone.wait(lambda: ("Both" in phone.text) == is_shown, "the verdict")
                self.assertEqual("can't be shown" in phone.text, not is_shown)

    def test_navigation_that_leads_nowhere(self):
        phone = self.phone
        rows = [
            {"type": "navigation", "id": str(index), "text": f"Row {index}", "resource": resource}
            for index, resource in enumerate(["https://example.com/", "../notes", "", "<b>", "nowhere"])
        ]
        with canned(self.driver, {DASHBOARD: [document(*rows, style="list")]}):
            self.open(DASHBOARD)
            for index in range(4):
                self.tap(f"Row {index}")
                self.assertIn("is not the name of a view", phone.problem)
                self.assertFalse(self.shows(".back"))
            self.tap("Row 4")
            phone.wait_for("can't be shown")
            self.assertIn("404", phone.text)
            phone.tap("Back")
            phone.wait_for("Row 4")
        self.assertEqual(self.bodies, [])

    def test_it_is_mirrored(self):
        self.open(PROFILE)
        left = self.phone.box(".toggle .words"), self.phone.box(".toggle .knob")
        self.assertLess(left[0]["left"], left[1]["left"])
        self.choose(direction="Right to left")
        right = self.phone.box(".toggle .words"), self.phone.box(".toggle .knob")
        self.assertGreater(right[0]["right"], right[1]["right"])
        aligned = "return [...document.querySelectorAll('.dynamic-views [dir=auto]')].map((one) => getComputedStyle(one).textAlign)"
        self.assertEqual(set(self.phone.script(aligned)), {"right"})
        self.open(DASHBOARD)
        words, chevron = self.phone.box(".information .words"), self.phone.box(".information .icon-chevron")
        self.assertGreater(words["right"], chevron["right"])

    def test_colours(self):
        phone = self.phone
        names = ["systemBackground", "systemRed", "yellow", "accent", "secondaryLabel", "#123456", "teal", "unheard-of", "clear", "constructor"]
        widgets = [{"type": "button", "id": name, "text": name, "backgroundColor": name} for name in names]
        widgets += [{"type": "text", "id": f"t {name}", "text": name, "textColor": name} for name in ["systemRed", "label", "unheard-of"]]
        colors = "return [...document.querySelectorAll(arguments[0])].map((one) => getComputedStyle(one)[arguments[1]])"
        with canned(self.driver, {DASHBOARD: [document(*widgets)]}):
            self.open(DASHBOARD)
            light = phone.script(colors, ".button", "backgroundColor")
            self.assertEqual(light[:3], ["rgb(255, 255, 255)", "rgb(255, 59, 48)", "rgb(255, 204, 0)"])
            self.assertEqual(light[5], "rgb(18, 52, 86)")
            # The app's own colours are unknown here, and look like the usual one.
            self.assertEqual([light[7], light[9]], [light[3]] * 2)
            texts = phone.script(colors, ".text .words", "color")
            self.assertEqual(texts[0], "rgb(255, 59, 48)")
            self.assertEqual(texts[1], texts[2])
            self.assertEqual(faint(phone).keys() - {"systemRed"}, set())
            self.choose(theme="Dark")
            self.assertEqual(phone.script(colors, ".button", "backgroundColor")[1:3], ["rgb(255, 69, 58)", "rgb(255, 214, 10)"])
            self.assertEqual(faint(phone).keys() - {"systemRed"}, set())

    def test_the_picture_is_behind_the_content(self):
        text = {"type": "text", "id": "1", "text": "In front"}
        for image in ["Dashboard/teaser", "/image.png"]:
            with self.subTest(image), canned(self.driver, {DASHBOARD: [document(text, image=image)]}):
                self.open(DASHBOARD)
                behind, front = self.phone.box(".behind .picture"), self.phone.box(".text")
                self.assertLessEqual(behind["top"], front["top"])
                self.assertGreater(behind["bottom"], front["bottom"])
                top = "const {left, top} = document.querySelector('.text .words').getBoundingClientRect(); return document.elementFromPoint(left + 2, top + 2).className"
                self.assertEqual(self.phone.script(top), "words")
        for image in [5, "", None]:
            with self.subTest(image), canned(self.driver, {DASHBOARD: [document(text, **({} if image is None else {"image": image}))]}):
                self.open(DASHBOARD)
                self.assertFalse(self.shows(".behind"))

    def test_large_texts_wrap(self):
        for platform in ["iOS", "Android"]:
            for path in [DASHBOARD, PROFILE]:
                with self.subTest(platform=platform, path=path):
                    self.choose(platform=platform, text="Accessibility")
                    self.open(path)
                    if platform == "iOS" and path == PROFILE:
                        self.tap_version(5)
                        self.enter_password("Snabble" + Keys.ENTER)
                        self.phone.wait(lambda: self.shows(".app select"), "developer mode")
                    self.phone.drawn()
                    wide = self.phone.script(
                        """
                        const body = document.querySelector(".dynamic-views .body");
                        const {left, right} = body.getBoundingClientRect();
                        const parts = [...body.querySelectorAll(".words, .button, select, .knob, .receipt, h2")];
                        const cut = parts.filter((one) => {
                          const box = one.getBoundingClientRect();
                          return box.left < left - 1 || box.right > right + 1 || one.scrollWidth > one.clientWidth + 1;
                        });
                        return [body.scrollWidth - body.clientWidth, parts.length, cut.map((one) => one.textContent || one.className)];
                        """
                    )
                    self.assertGreater(wide[1], 3)
                    self.assertEqual([wide[0], wide[2]], [0, []])

    def test_texts_can_be_read(self):
        for platform in ["iOS", "Android"]:
            for theme in ["Light", "Dark"]:
                for path in [DASHBOARD, PROFILE]:
                    with self.subTest(platform=platform, theme=theme, path=path):
                        self.choose(platform=platform, theme=theme)
                        self.open(path)
                        if path == PROFILE:
                            self.tap_version(5)
                            self.phone.wait(lambda: self.shows(".layer"), "the question")
                            self.assertEqual(faint(self.phone), {})
                            self.enter_password("Snabble" + Keys.ENTER)
                            self.phone.wait(lambda: not self.shows(".layer"), "the end of the question")
                        self.phone.wait(lambda: self.phone.is_calm)
                        self.assertEqual(faint(self.phone), {})


if __name__ == "__main__":
    unittest.main()
