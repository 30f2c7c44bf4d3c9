"""A page, copied as Swift."""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from axe import serious
from phone import Phone, open_browser
from server import MockFolder, Server

PAGE = """{
  "typ": "nav_page",
  "title": "A \\"good\\" \\\\(title)",
  "widget": {"typ": "form", "widgets": [{"typ": "nav_button", "text": "</textarea><script>1</script>", "actions": ["push:/card"]}]}
}
"""
SWIFT = """navPage("A \\"good\\" \\\\(title)") {
    form { navButton("</textarea><script>1</script>", push("/card")) }
}
"""
REFUSE = "navigator.clipboard.writeText = () => Promise.reject(new Error('no'));"


class SwiftTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = MockFolder()
        cls.addClassCleanup(cls.folder.close)
        cls.folder.page("books", PAGE)
        (cls.folder.path / "card.page.yaml").write_text("typ: nav_page\ntitle: Card\nwidget:\n  typ: text\n  text: A card\n")
        cls.server = Server("mock", "--routes", str(cls.folder.path))
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])

    def open(self, path, tab):
        self.phone.open(path)
        self.phone.tab(tab)
        self.phone.catch_copies()
        if tab == "Editor":
            self.phone.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".code-editor .CodeMirror, .plain-editor"), "the editor")

    def press(self, text="Copy as Swift"):
        def shown():
            found = self.driver.find_elements(By.XPATH, f"//button[normalize-space(.)='{text}']")
            return next((button for button in found if button.is_displayed()), None)

        self.phone.wait(shown, text)
        self.phone.drawn()
        shown().click()

    def write(self, text):
        self.phone.script("document.querySelector('.code-editor .CodeMirror').CodeMirror.setValue(arguments[0])", text)

    @property
    def copied(self):
        return self.phone.copied()

    @property
    def status(self):
        return self.phone.script("return document.querySelector('.editor-status')?.textContent ?? ''")

    def test_the_json_of_a_page(self):
        self.open("/books", "JSON")
        self.press()
        self.assertEqual(self.copied, SWIFT)
        self.phone.wait(lambda: "The Swift is copied: 3 lines." in self.phone.inside, "the word of it")

    def test_what_is_in_the_editor(self):
        self.open("/books", "Editor")
        self.write(PAGE.replace("/card", "/other").replace('"title"', '"version": 2, "title"'))
        self.phone.wait(lambda: "1 warning" in self.status or "2 warnings" in self.status or "error" in self.status, "the judgement")
        self.press()
        comment = "// Left out, as clients don't read it here: \"version\": 2\n"
        self.assertEqual(self.copied, comment + SWIFT.replace("/card", "/other"))
        self.phone.wait(lambda: "Not in it: /version: left out" in self.status, "what is left out")

    def test_a_mock_in_yaml(self):
        self.open("/card", "Editor")
        self.press()
        self.assertEqual(self.copied, 'navPage("Card") { text("A card") }\n')

    def test_what_cannot_be_written(self):
        self.open("/books", "Editor")
        for text, problem in [
            (PAGE.replace('"nav_page"', '"nav_pag"'), "line 2: /typ is \"nav_pag\", which no client knows as a page; did you mean 'nav_page'?"),
            (PAGE.replace('"title":', '"title"'), "line 3: this is no JSON"),
            ('{"views": []}', "line 1: the document isn't an Applin page, and only those have a form in Swift"),
            ("[" * 10_000, "line 1: more than 512 arrays and objects stand in each other"),
        ]:
            with self.subTest(problem):
                self.write(text)
                self.phone.wait(lambda: "error" in self.status, "the judgement")
                self.press()
                self.phone.wait(lambda: self.status.startswith(problem), problem)
                self.assertIsNone(self.phone.script("return window.copied ?? null"))

    def test_without_the_clipboard(self):
        """Over the network without TLS, the older way is left; without it, the text is shown."""
        self.open("/books", "JSON")
        self.phone.script(REFUSE + "document.execCommand = () => { window.copied = document.activeElement.value; return true; };")
        self.press()
        self.assertEqual(self.copied, SWIFT)
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "dialog, .copied"), [])

        self.open("/books", "JSON")
        self.phone.script(REFUSE + "document.execCommand = () => false;")
        self.press()
        area = self.phone.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, "dialog.to-copy textarea"), "the text")[0]
        self.assertEqual(area.get_property("value"), SWIFT)
        self.assertEqual(self.driver.switch_to.active_element, area)
        self.assertEqual(self.phone.script("return arguments[0].value.slice(arguments[0].selectionStart, arguments[0].selectionEnd)", area), SWIFT)
        self.assertEqual(serious(self.driver), [])
        area.send_keys(Keys.ESCAPE)
        self.phone.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, "dialog") == [], "its end")


class OtherProtocolsTest(unittest.TestCase):
    def test_only_pages_of_applin_have_the_button(self):
        server = Server()
        self.addCleanup(server.stop)
        driver = open_browser()
        self.addCleanup(driver.quit)
        phone = Phone(driver, server.url)
        for path, is_there in [("/terms", True), ("/views/dashboard.json", False)]:
            for tab in ["JSON", "Editor"]:
                with self.subTest(f"{path} {tab}"):
                    phone.open(path)
                    phone.tab(tab)
                    phone.wait(lambda: driver.find_elements(By.CSS_SELECTOR, ".editor-place > *" if tab == "Editor" else ".json .line"), "the panel")
                    found = driver.find_elements(By.XPATH, "//button[normalize-space(.)='Copy as Swift']")
                    self.assertEqual(any(button.is_displayed() for button in found), is_there)
        self.assertEqual(phone.complaints(), [])


if __name__ == "__main__":
    unittest.main()
