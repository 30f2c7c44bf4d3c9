"""The phone itself: going back from its edge, picking a part, right to left, and texts that can be read."""

import pathlib
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from phone import PhoneTestCase
from server import Server

CONTRAST = (pathlib.Path(__file__).parent / "contrast.js").read_text()


class PhoneTest(PhoneTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})

    def swipe(self, share, is_mirrored=False):
        """Draws a finger from the edge at which lines begin, over a share of the screen's width."""
        screen = self.phone.box(".screen")
        middle = (screen["top"] + screen["bottom"]) / 2
        start = screen["right"] - 4 if is_mirrored else screen["left"] + 4
        by = round(screen["width"] * share) * (-1 if is_mirrored else 1)
        actions = ActionChains(self.driver, duration=20)
        actions.w3c_actions.pointer_action.move_to_location(round(start), round(middle))
        actions.w3c_actions.pointer_action.pointer_down()
        for part in range(1, 5):
            actions.w3c_actions.pointer_action.move_to_location(round(start + by * part / 4), round(middle))
        actions.w3c_actions.pointer_action.pointer_up()
        actions.perform()

    def test_a_swipe_from_the_edge_goes_back(self):
        phone = self.phone
        for direction in ["Left to right", "Right to left"]:
            with self.subTest(direction):
                is_mirrored = direction == "Right to left"
                phone.open("/objects/")
                phone.choose("direction", direction)
                phone.tap("New Account")
                # Not far enough, and from within.
                self.swipe(0.15, is_mirrored)
                self.assertEqual(phone.stack, ["/", "/new_account"])
                self.assertEqual(phone.script("return document.querySelector('.page').style.translate"), "")
                self.swipe(0.5, is_mirrored)
                phone.wait(lambda: phone.stack == ["/"], "the page below")
                # The last page has nothing below it.
                self.swipe(0.5, is_mirrored)
                self.assertEqual(phone.stack, ["/"])
        phone.choose("direction", "Left to right")

    def test_a_back_button_of_the_page_itself_takes_the_swipe_away(self):
        phone = self.phone
        phone.open("/objects/back_button")
        names = phone.script("return [...document.querySelectorAll('.app .nav-button .main')].map((one) => one.textContent)")
        edges = {}
        for name in names:
            phone.tap(name)
            edges[phone.title] = phone.script(
                "return [document.querySelector('.back')?.dataset.pointer ?? null, getComputedStyle(document.querySelector('.edge')).display]")
            phone.open("/objects/back_button")
        self.assertIn([None, "block"], edges.values())
        self.assertIn(["/page/start", "none"], edges.values())
        self.assertNotIn(["/page/start", "block"], edges.values())

    def test_android_has_no_swipe_and_taps_go_through_the_edge(self):
        phone = self.phone
        phone.open("/objects/")
        phone.tap("New Account")
        phone.choose("platform", "Android")
        self.swipe(0.5)
        self.assertEqual(phone.stack, ["/", "/new_account"])
        phone.choose("platform", "iOS")
        phone.script("document.querySelector('.scroll > :not(.pull)').style.padding = 0")
        left, button = phone.box(".screen")["left"], phone.box(".nav-button")
        actions = ActionChains(self.driver)
        actions.w3c_actions.pointer_action.move_to_location(round(left + 6), round((button["top"] + button["bottom"]) / 2))
        actions.w3c_actions.pointer_action.click()
        actions.perform()
        phone.wait(lambda: phone.stack == ["/", "/new_account", "/terms"], "the page behind the button below the edge")

    def test_a_modal_gives_the_focus_back(self):
        phone = self.phone
        press = lambda *keys: ActionChains(self.driver).send_keys(*keys).perform()
        focused = lambda: phone.script("return document.activeElement.textContent.trim()")
        phone.open("/objects/modal")
        phone.script("arguments[0].focus()", phone.button("Ask, with a message"))
        press(Keys.ENTER)
        phone.wait(lambda: focused() == "Go", "the modal")
        press(Keys.TAB, Keys.ENTER)
        phone.wait(lambda: phone.is_calm and phone.script("return document.querySelector('.app .layer') === null"), "the end of the modal")
        self.assertEqual(focused(), "Ask, with a message")

    def test_picking_ends_with_escape_and_with_navigation(self):
        phone = self.phone
        is_picking = lambda: phone.script("return [document.querySelector('.pick').ariaPressed, document.body.classList.contains('picking')]") == ["true", True]
        phone.open("/objects/")
        pick = self.driver.find_element(By.CSS_SELECTOR, ".pick")
        pick.click()
        self.assertTrue(is_picking())
        pick.send_keys(Keys.ESCAPE)
        self.assertFalse(is_picking())
        pick.click()
        # A refresh of the same page is no navigation.
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Refresh']").click()
        phone.wait(lambda: "Refreshed by hand" in phone.problem, "the refresh")
        self.assertTrue(is_picking())
        # What is opened otherwise is one.
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Pick']").click()
        phone.tap("New Account")
        pick.click()
        self.assertTrue(is_picking())
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Restart']").click()
        phone.wait(lambda: phone.stack == ["/"], "the first page")
        phone.wait(lambda: not is_picking(), "the end of picking")

    def test_headings_and_cells_are_mirrored(self):
        phone = self.phone
        for path, selector in [("/objects/form_section", ".section-title"), ("/objects/grouped_row_table", "td .text"), ("/objects/text", ".text"),
                               ("/objects/error_text", ".error-text span"), ("/floki/v1-app", ".section-head .main"), ("/floki/v1-app", ".entry .main")]:
            with self.subTest(f"{path} {selector}"):
                phone.open(path)
                phone.wait(lambda: phone.script("return document.querySelector(arguments[0])", f".app {selector}"), "the text")
                side = lambda: phone.script(
                    """
                    const element = document.querySelector(arguments[0]);
                    const range = document.createRange();
                    range.selectNodeContents(element);
                    const [text, place] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
                    const [left, right] = [text.left - place.left, place.right - text.right];
                    return Math.abs(left - right) < 3 ? getComputedStyle(element).textAlign : left < right ? "left" : "right";
                    """, f".app {selector}")
                self.assertIn(side(), ["left", "start"])
                phone.choose("direction", "Right to left")
                self.assertEqual(side(), "right")
                phone.choose("direction", "Left to right")

    def test_every_text_can_be_read(self):
        phone = self.phone
        pages = [path for path in Server.pages() if path.startswith("/objects/") and path.count("/") == 2 and "poll" not in path]
        self.assertGreater(len(pages), 30)
        faults = {}
        for path in [*pages, "/floki/v1-app"]:
            phone.open(path, fresh=path == pages[0])
            for theme in ["Light", "Dark"]:
                phone.choose("theme", theme)
                for platform in ["iOS", "Android"]:
                    phone.choose("platform", platform)
                    for fault in phone.script(CONTRAST, ".app"):
                        faults.setdefault(fault, f"{path} {theme} {platform}")
        self.assertEqual(faults, {})

    def test_the_view_inside_can_be_read(self):
        phone = self.phone
        features = lambda mode: [{"name": "prefers-color-scheme", "value": mode}, {"name": "prefers-reduced-motion", "value": "reduce"}]
        for mode in ["light", "dark"]:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features(mode)})
            phone.open("/objects/new_account")
            phone.tap("Create Account")
            for tab in ["Tree", "JSON", "Findings", "Log", "State", "Faults", "Phone", "Test"]:
                with self.subTest(f"{mode} {tab}"):
                    phone.tab(tab)
                    self.assertEqual(phone.script(CONTRAST, "body"), [])


if __name__ == "__main__":
    unittest.main()
