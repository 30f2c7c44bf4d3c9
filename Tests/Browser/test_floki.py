"""The newspaper, in both of its languages."""

import unittest

from selenium.webdriver.common.by import By

from phone import Phone, open_browser
from server import Server


class FlokiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])

    def frame_text(self):
        """What the page of HTML says that is shown."""
        frame = self.driver.find_element(By.CSS_SELECTOR, ".app iframe")
        self.assertEqual(frame.get_attribute("sandbox"), "")
        self.driver.switch_to.frame(frame)
        try:
            return self.driver.find_element(By.TAG_NAME, "body").text
        finally:
            self.driver.switch_to.default_content()

    def test_the_newspaper(self):
        phone = self.phone
        phone.open("/floki/v1-app")
        # Sections: one is open, and closes when another opens.
        phone.wait_for("New ferry reaches the harbour")
        self.assertNotIn("Concerts in the garden", phone.text)
        phone.tap("Culture")
        phone.wait_for("Concerts in the garden")
        self.assertNotIn("New ferry reaches the harbour", phone.text)
        # An item, and back.
        phone.tap("Concerts in the garden")
        phone.wait(lambda: "Each Friday in June" in self.frame_text(), "the item's page")
        phone.tap("Back")
        # The search, to its end.
        phone.enter("harbour\n", "Search")
        phone.wait_for("Rowers win by a length")
        phone.tap("More…")
        phone.wait(lambda: "More…" not in phone.text, "the end of the search")
        phone.tap("Cancel")
        phone.wait_for("Town")
        # Pictures, older ones too, and one by one.
        phone.tap("Photos")
        cells = lambda: self.driver.find_elements(By.CSS_SELECTOR, ".app .cell")
        phone.wait(lambda: len(cells()) == 12, "the first photos")
        phone.tap("More…")
        phone.wait(lambda: len(cells()) == 24, "older photos")
        cells()[0].click()
        phone.wait_for("Photo 40")
        self.driver.find_element(By.CSS_SELECTOR, ".step[aria-label='The next photo']").click()
        phone.wait_for("Photo 39")
        phone.tap("Back")
        # The movie's facade, a web page, and the other language.
        phone.tap("Movie")
        phone.wait_for("The harbour in the morning.")
        self.assertTrue(self.driver.find_element(By.CSS_SELECTOR, ".play").is_displayed())
        phone.tap("About")
        phone.wait(lambda: "sample newspaper" in self.frame_text(), "the page")
        phone.script("const select = document.querySelector('.language'); select.value = 'es'; select.dispatchEvent(new Event('change'))")
        phone.wait_for("Noticias")
        phone.tap("Noticias")
        phone.wait_for("El puente viejo, cerrado una semana")
        phone.tab("Tree")
        self.assertIn("section", phone.inside)
        # It is all there after a reload.
        self.driver.refresh()
        phone.wait_for("El puente viejo, cerrado una semana")
