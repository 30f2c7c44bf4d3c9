"""The editor beside the phone."""

import json
import time
import unittest
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from phone import Phone, open_browser
from server import MockFolder, Server

PAGE = """{
  "typ": "nav_page",
  "title": "Books",
  "widget": {
    "typ": "form",
    "widgets": [
      {"typ": "text", "text": "Hello"},
      {"typ": "textfield", "label": "Name", "var_name": "name"}
    ]
  }
}
"""


class EditorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = MockFolder()
        cls.addClassCleanup(cls.folder.close)
        cls.folder.page("books", PAGE)
        cls.folder.page("other", PAGE.replace("Books", "Other"))
        (cls.folder.path / "card.page.yaml").write_text("typ: nav_page\ntitle: Card\nwidget:\n  typ: text\n  text: A card\n")
        cls.server = Server("mock", "--routes", str(cls.folder.path))
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def setUp(self):
        self.folder.page("books", PAGE)

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])

    def edit(self, path="/books"):
        self.phone.open(path)
        self.phone.tab("Editor")
        self.phone.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".code-editor .CodeMirror, .plain-editor"), "the editor")
        self.phone.wait(lambda: "Nothing is wrong" in self.status or "error" in self.status or "warning" in self.status, "the first judgement")

    @property
    def text(self):
        return self.phone.script("const code = document.querySelector('.code-editor .CodeMirror'); return code ? code.CodeMirror.getValue() : document.querySelector('.plain-editor').value")

    @property
    def status(self):
        return self.phone.script("return document.querySelector('.editor-status')?.textContent ?? ''")

    def write(self, old, new):
        """Replaces a part of the text, as typing does."""
        self.phone.script(
            """
            const code = document.querySelector('.code-editor .CodeMirror').CodeMirror;
            const at = code.getValue().indexOf(arguments[0]);
            code.replaceRange(arguments[1], code.posFromIndex(at), code.posFromIndex(at + arguments[0].length), "+input");
            """,
            old,
            new,
        )

    def cursor(self, behind):
        self.phone.script(
            """
            const code = document.querySelector('.code-editor .CodeMirror').CodeMirror;
            code.focus();
            code.setCursor(code.posFromIndex(code.getValue().indexOf(arguments[0]) + arguments[0].length));
            """,
            behind,
        )

    def button(self, text):
        return self.driver.find_element(By.XPATH, f"//*[contains(@class, 'editor')]//button[normalize-space(.)='{text}']")

    @property
    def file(self):
        return (self.folder.path / "books.page.json").read_text()

    def test_typing_draws_the_page(self):
        self.edit()
        self.assertEqual(self.text, PAGE)
        self.write("Hello", "Good morning")
        self.assertIn("Good morning", self.phone.text)
        self.assertEqual(self.file, PAGE)
        self.write('"text": "Good', '"text": "Good"')
        self.phone.wait(lambda: "1 error" in self.status, "the mistake")
        self.assertIn("Good morning", self.phone.text)
        self.button("Discard").click()
        self.phone.wait_for("Hello")
        self.assertEqual(self.text, PAGE)


if __name__ == "__main__":
    unittest.main()
