"""The wall: one page on many devices."""

import json
import time
import unittest

from selenium.webdriver.common.by import By

from axe import serious
from phone import Phone, PhoneTestCase, not_in_webkit
from server import MockFolder, Server

MARKUP = "<img src=x onerror=alert(1)><script>alert(1)</script>"


def page(*widgets, title="Page"):
    return {"page": {"typ": "nav_page", "title": title, "widget": {"typ": "scroll", "widget": {"typ": "form", "widgets": widgets}}}}


class WallTest(PhoneTestCase):
    SIZE = (1700, 1200)

    def open(self, path, phone=None):
        phone = phone or self.phone
        phone.open(path)
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Wall']").click()
        phone.wait(lambda: all(self.texts().values()), "all devices")

    def texts(self):
        """What the devices show, by their looks."""
        return self.phone.script("return Object.fromEntries([...document.querySelectorAll('.tile')].map((tile) => [tile.dataset.look, tile.querySelector('.app').innerText]))")

    def tile(self, look, selector):
        return self.driver.find_element(By.CSS_SELECTOR, f".tile[data-look={look}] {selector}")

    def style(self, look, selector, name):
        return self.phone.script("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", f".tile[data-look={look}] {selector}", name)

    def test_one_page_on_every_device(self):
        self.open("/objects/new_account")
        texts = self.texts()
        self.assertGreaterEqual(len(texts), 12)
        for look, text in texts.items():
            self.assertIn("[Çřééàà" if look == "pseudo" else "Create Account", text)
        self.assertEqual(self.style("ios-dark", ".page", "backgroundColor"), "rgb(0, 0, 0)")
        self.assertEqual(self.style("right-to-left", ".page", "direction"), "rtl")
        self.assertEqual(self.style("largest-text", ".screen", "fontSize"), "34px")
        self.assertEqual(self.style("tablet", ".screen", "width"), "820px")
        self.assertEqual(self.style("tablet-wide", ".screen", "width"), "1180px")

    @not_in_webkit("its driver clicks nothing in a zoomed part that must be scrolled to")
    def test_what_is_done_on_one_happens_on_all_and_once_for_the_server(self):
        phone = self.phone
        self.open("/objects/new_account")
        phone.enter("Ada", "Username")
        phone.wait(lambda: phone.script("return [...document.querySelectorAll('.tile .textfield :is(input, textarea)')].every((field) => field.value === 'Ada')"), "the text on all devices")
        self.tile("android-dark", "label.checkbox").click()
        phone.wait(lambda: phone.script("return document.querySelectorAll('.tile input:checked').length === document.querySelectorAll('.tile').length"), "the check on all devices")
        self.assertTrue(phone.script("return document.querySelector('.phone-side .app input[type=checkbox]').checked"))
        self.tile("right-to-left", ".nav-button").click()
        phone.wait_for_title("Terms")
        phone.wait(lambda: all("Terms" in text or "[Ţéé" in text for text in self.texts().values()), "the next page on all devices")
        self.assertEqual(phone.script("return [...document.querySelectorAll('.log .url')].filter((one) => one.textContent.endsWith('/terms')).length"), 1)

    def test_they_scroll_together(self):
        phone = self.phone
        self.open("/objects/")
        share = lambda selector: phone.script("const one = document.querySelector(arguments[0]); return one.scrollTop / (one.scrollHeight - one.clientHeight)", selector)
        for moved, others in [(".phone-side .app .scroll", ["ios", "largest-text"]), (".tile[data-look=android] .scroll", ["ios-small", "pseudo"])]:
            for to in [0.5, 1, 0]:
                phone.script("const one = document.querySelector(arguments[0]); one.scrollTop = arguments[1] * (one.scrollHeight - one.clientHeight)", moved, to)
                for look in others:
                    phone.wait(lambda: abs(share(f".tile[data-look={look}] .scroll") - to) < 0.03, f"{look} at {to}")
        self.assertAlmostEqual(share(".phone-side .app .scroll"), 0, places=1)

    def test_a_choice_is_the_same_on_every_device(self):
        mocks = MockFolder()
        self.addCleanup(mocks.close)
        mocks.form("app", {"type": "radio", "name": "size", "value": "a", "options": {"a": "Small", "b": "Large"}})
        server = Server("mock", "--routes", str(mocks.path))
        self.addCleanup(server.stop)
        phone = Phone(self.driver, server.url)
        self.open("/app", phone)
        chosen = lambda: phone.script("return [...document.querySelectorAll('.app')].map((app) => [...app.querySelectorAll('[type=radio]')].map((one) => one.checked))")
        phone.wait(lambda: all(one == [True, False] for one in chosen()), "the first choice on the phone and on all devices")
        phone.script("document.querySelectorAll('.phone-side .radio label')[1].click()")
        phone.wait(lambda: all(one == [False, True] for one in chosen()), "the other choice")

    def test_components_stand_where_each_screen_has_room(self):
        self.open("/xpedite")
        widths = self.phone.script("return Object.fromEntries([...document.querySelectorAll('.tile')].map((tile) => [tile.dataset.look, parseFloat(tile.querySelector('.components > *').style.width)]))")
        self.assertLess(widths["ios-small"], widths["ios"])
        self.assertGreater(widths["tablet"], widths["ios"])

    def test_an_app_that_answers_platforms_differently_is_shown_on_the_phones(self):
        phone = self.phone
        self.open("/views/dashboard.json")
        self.assertNotIn("android", self.texts())
        self.assertIn("This app sends platform its own pages", self.driver.find_element(By.CSS_SELECTOR, ".wall").text)
        phone.choose("platform", "Android")
        phone.wait(lambda: list(self.texts()) == ["android", "android-dark", "android-small"], "the other devices")
        phone.choose("platform", "iOS")

    def test_it_is_opened_again_with_the_window_and_closed(self):
        phone = self.phone
        self.open("/objects/new_account")
        phone.open("/objects/new_account", fresh=False)
        phone.wait(lambda: len(self.texts()) >= 12, "the wall")
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Close the wall']").click()
        self.assertEqual(self.texts(), {})
        self.assertTrue(self.driver.find_element(By.CSS_SELECTOR, ".inside").is_displayed())

    def test_axe_finds_nothing_serious(self):
        self.open("/objects/new_account")
        self.assertEqual(serious(self.driver), [])

    def test_bad_pages(self):
        mocks = MockFolder()
        self.addCleanup(mocks.close)
        widgets = [{"typ": "text", "text": MARKUP}, {"typ": "form_button", "text": MARKUP, "actions": ["pop"]}, {"typ": "textfield", "var_name": "x", "label": MARKUP, "initial_string": MARKUP}]
        mocks.page("index", json.dumps(page(*widgets, title=MARKUP)))
        mocks.page("many", json.dumps(page(*[{"typ": "nav_button", "text": f"Button {n}", "actions": ["push:/"]} for n in range(10_000)])))
        server = Server("mock", "--routes", str(mocks.path))
        self.addCleanup(server.stop)
        phone = Phone(self.driver, server.url)
        self.open("/", phone)
        self.assertIn(MARKUP, self.texts()["ios"])
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".wall img, .wall script"), [])
        start = time.monotonic()
        self.open("/many", phone)
        self.assertIn("is shown on the phone alone", self.texts()["ios"])
        print(f"the wall of 10,000 widgets: {time.monotonic() - start:.1f} s")
        phone.tap("Button 9999")
        phone.wait(lambda: "There" in self.texts()["ios"] or MARKUP in self.texts()["ios"], "a page that all show")


if __name__ == "__main__":
    unittest.main()
