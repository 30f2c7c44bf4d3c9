"""The shop's dashboard and profile."""

import unittest

from selenium.webdriver.common.by import By

from phone import Phone, open_browser
from server import Server


class ViewsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])

    def widgets(self):
        """The types of the widgets in the document that is shown."""
        return self.phone.script("return [...document.querySelectorAll('.tree .typ')].map((typ) => typ.textContent)")

    def interactions(self):
        """How many were sent."""
        return self.phone.script(
            "return [...document.querySelectorAll('.exchange')].filter((row) => row.querySelector('.note').textContent === 'interaction').length")

    def test_the_dashboard(self):
        phone = self.phone
        phone.open("/views/dashboard.json")
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
        self.assertNotIn("The server answered", phone.problem)
        phone.script("document.querySelector('.receipt')?.click()")
        phone.wait(lambda: self.interactions() == 4, "the receipt")

    def tap(self, text):
        phone = self.phone
        phone.wait(lambda: phone.is_calm)
        phone.script("[...document.querySelectorAll('.app .tap, .app .button')].find((one) => one.textContent.startsWith(arguments[0])).click()", text)
        phone.wait(lambda: phone.is_calm)

    def test_the_profile(self):
        phone = self.phone
        phone.open("/views/profile.json")
        phone.script("document.querySelector('.toggle input').click()")
        phone.wait(lambda: self.interactions() == 1 and phone.is_calm, "the toggle")
        select = self.driver.find_element(By.CSS_SELECTOR, ".app select")
        phone.script("arguments[0].selectedIndex = 1; arguments[0].dispatchEvent(new Event('change'))", select)
        phone.wait(lambda: self.interactions() == 2 and phone.is_calm, "the choice")
        self.assertNotIn("The server answered", phone.problem)
        # The device remembers both.
        self.driver.refresh()
        phone.wait(lambda: phone.is_calm and phone.script("return document.querySelector('.toggle input')?.checked"), "the toggle")
        self.assertEqual(phone.script("return document.querySelector('.app select').selectedIndex"), 1)
