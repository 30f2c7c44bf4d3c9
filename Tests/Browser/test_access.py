"""The inspector of accessibility."""

import json
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from phone import PATIENCE, Phone, open_browser
from server import MockFolder, Server


def page(*widgets, title="Page"):
    return json.dumps({"page": {"typ": "nav_page", "title": title, "widget": {"typ": "scroll", "widget": {"typ": "form", "widgets": widgets}}}})


def button(text, action="pop"):
    return {"typ": "form_button", "text": text, "actions": [action]}


MARKUP = "<img src=x onerror=alert(1)><script>alert(1)</script>"


class AccessTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mocks = MockFolder()
        cls.addClassCleanup(cls.mocks.close)
        pages = {
            "good": page({"typ": "text", "text": "Welcome"}, {"typ": "textfield", "var_name": "name", "label": "Your name"}, {"typ": "checkbox", "var_name": "yes", "text": "I agree"}, {"typ": "nav_button", "text": "On", "actions": ["push:/good"]}),
            "nameless": page(button(""), {"typ": "checkbox", "var_name": "c", "text": ""}, {"typ": "textfield", "var_name": "secret_name"}, button("→")),
            "picture": page({"typ": "image", "url": "/dot.svg", "aspect_ratio": 2.0, "disposition": "cover"}),
            "doubled": page({"typ": "text", "text": "Save"}, button("Save"), button("Delete", "push:/one"), button("Delete", "push:/two"), button("Same"), button("Same")),
            "long": page(button("W" * 60), {"typ": "text", "text": "W" * 400}, title="A title that no bar has any room for at all " * 4),
            "markup": page({"typ": "text", "text": MARKUP}, button(MARKUP), {"typ": "textfield", "var_name": MARKUP, "label": MARKUP, "initial_string": MARKUP, "error": MARKUP}, title=MARKUP),
            "many": page(*[{"typ": "nav_button", "text": f"Button {n}", "actions": ["pop"]} for n in range(10_000)]),
        }
        for name, text in pages.items():
            cls.mocks.raw(f"/{name}", text)
        cls.mocks.raw("/dot.svg", "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>", content_type="image/svg+xml")
        cls.mocks.page("index", page({"typ": "text", "text": "Home"}))
        cls.server = Server("mock", "--routes", str(cls.mocks.path))
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])

    def open(self, name):
        """Opens a page of the mocks: those that stand in no page file are pushed."""
        self.phone.open("/")
        self.driver.execute_script("sessionStorage.setItem('backlot:applin:/:stack', arguments[0]); sessionStorage.setItem('backlot:applin:/:tab', '3')", json.dumps([f"/{name}", "/"]))
        self.phone.open("/", fresh=False)
        self.driver.find_element(By.CSS_SELECTOR, ".app .back").click()
        self.phone.wait(lambda: self.phone.stack == [f"/{name}"] and self.phone.is_calm, f"the page {name}")
        self.phone.tab("Accessibility")

    @property
    def rules(self):
        return [code.text for code in self.driver.find_elements(By.CSS_SELECTOR, ".access .finding code")]

    @property
    def findings(self):
        return self.driver.find_element(By.CSS_SELECTOR, ".access .findings").text

    @property
    def speech(self):
        return self.phone.script("return [...document.querySelectorAll('.speech button')].map((line) => [...line.children].map((part) => part.textContent).join(' | '))")

    def test_a_good_page_has_no_findings(self):
        self.open("good")
        self.assertEqual(self.rules, [])
        self.assertEqual(self.speech, ["Page | heading", "Welcome", "Your name | text field, empty", "I agree | checkbox, not checked", "On | button"])

    def test_what_is_done_is_said_anew(self):
        self.open("good")
        self.phone.enter("Ada", "Your name")
        self.phone.tap("I agree")
        self.phone.wait(lambda: "I agree | checkbox, checked" in self.speech, "the checked box")
        self.assertIn("Your name | text field, “Ada”", self.speech)

    def test_controls_without_names(self):
        self.open("nameless")
        self.assertEqual(self.rules.count("nameless-control"), 4)
        for text in ["A button has no name", "A checkbox has no name", "A text field has no name", "The name of a button is “→”"]:
            self.assertIn(text, self.findings)

    def test_pictures_without_texts(self):
        self.open("picture")
        self.assertIn("picture-without-text", self.rules)

    def test_doubled_labels(self):
        self.open("doubled")
        self.assertIn("“Save” is said twice", self.findings)
        self.assertIn("Two buttons are named “Delete” and do different things", self.findings)
        self.assertNotIn("“Same”", self.findings)

    def test_small_targets_by_platform(self):
        self.open("good")
        self.phone.choose("platform", "Android")
        self.phone.wait(lambda: "small-target" in self.rules or self.rules == [], "the other platform")
        self.phone.choose("platform", "iOS")
        self.phone.wait(lambda: self.rules == [], "none on iOS")
        # The zoom changes nothing about the points.
        self.phone.choose("zoom", "0.5")
        self.phone.script("return new Promise(requestAnimationFrame)")
        self.assertEqual(self.rules, [])
        self.phone.choose("zoom", "Fit")
        # A button of one letter is too narrow.
        self.phone.script("document.querySelector('.app .checkbox').style.cssText = 'height: 20px; min-height: 0; width: 20px; padding: 0; overflow: hidden'")
        self.phone.tab("Tree")
        self.phone.tab("Accessibility")
        self.assertIn("20 × 20 points", self.findings)

    def test_contrast(self):
        self.open("good")
        self.phone.script("document.querySelector('.app .nav-button .main').style.color = 'color-mix(in srgb, gray 60%, white)'")
        self.phone.tab("Tree")
        self.phone.tab("Accessibility")
        self.assertIn("The contrast of “On” is", self.findings)

    def test_texts_that_are_cut(self):
        self.open("long")
        self.assertIn("at the largest text size", self.findings)
        # The phone itself looks as before.
        self.assertEqual(self.phone.script("return document.querySelector('.phone').style.getPropertyValue('--text')"), "1")

    def test_a_line_leads_to_its_part(self):
        self.open("good")
        first = self.driver.find_element(By.CSS_SELECTOR, ".speech button")
        first.click()
        first.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.assertIn("Your name", self.driver.switch_to.active_element.text)
        self.assertIsNotNone(self.driver.find_element(By.CSS_SELECTOR, ".app .textfield[data-marked]"))
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertIn("Your name", self.driver.find_element(By.CSS_SELECTOR, ".app [data-chosen]").text)

    def test_markup_is_text(self):
        self.open("markup")
        self.assertTrue(any(MARKUP in line for line in self.speech))
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".access img, .access script"), [])

    def test_ten_thousand_widgets(self):
        self.open("many")
        self.assertGreater(len(self.speech), 1500)
        self.assertIn("The rest is left out", self.phone.inside)
        start = time.monotonic()
        self.phone.tab("Tree")
        self.phone.tab("Accessibility")
        took = time.monotonic() - start
        print(f"10,000 widgets are inspected in {took:.2f} s")
        self.assertLess(took, 2 * PATIENCE)


if __name__ == "__main__":
    unittest.main()
