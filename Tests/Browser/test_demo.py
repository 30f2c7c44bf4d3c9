"""Every page of the demo, and its flows."""

import random

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from phone import PhoneTestCase
from server import Server


class DemoTest(PhoneTestCase):
    def test_every_page_is_drawn(self):
        pages = Server.pages()
        self.assertGreater(len(pages), 100)
        for path in pages:
            with self.subTest(path):
                self.phone.open(path, fresh=False)
                self.assertEqual(self.phone.script("return [...document.querySelectorAll('.undrawable')].map((note) => note.textContent)"), [])
                self.assertEqual(self.phone.complaints(), [])
                # Everything that can be used has a name.
                nameless = self.phone.script(
                    """
                    return [...document.querySelectorAll('.app button, .app input, .app select, .app textarea, .app img')]
                        .filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim() || element.alt
                            || element.closest('label')?.textContent.trim()))
                        .map((element) => element.outerHTML);
                    """
                )
                if not path.endswith("/checkbox"):  # which shows one without a text on purpose
                    self.assertEqual(nameless, [])

    def test_notes(self):
        for base in ["/", "/objects/"]:
            with self.subTest(base):
                self.notes(self.phone, base, f"ann{len(base)}{random.randrange(10**8)}")

    def notes(self, phone, base, name):
        phone.open(base)
        phone.tap("Notes")
        # An account, wrong at first: the page is polled, and marks the fields.
        phone.tap("Create an account")
        phone.enter("a", "Name")
        phone.tap("Create Account")
        phone.wait_for("Please correct the marked fields.")
        phone.tap("Back")
        phone.wait_for("Use 3 to 20 letters and digits.")
        phone.wait_for("Enter a password: any will do.")
        phone.enter(name, "Name")
        phone.enter("secret", "Password")
        phone.tap("Create Account")
        phone.wait_for("You have no notes yet.")
        self.assertEqual(phone.stack, ["/notes"])
        # A note, which the list shows when it is polled.
        phone.tap("New note")
        phone.enter("Milk\nand eggs", "Text")
        phone.tap("Add")
        phone.wait_for("Milk")
        # After a reload all is there again.
        phone.driver.refresh()
        phone.wait_for("Milk")
        # Its change, by the back button.
        phone.tap("Milk")
        phone.wait_for_title("Note")
        self.assertEqual(phone.field("Text").get_property("value"), "Milk\nand eggs")
        phone.enter("Bread", "Text")
        phone.driver.refresh()
        phone.wait_for_title("Note")
        self.assertEqual(phone.stack[0], "/notes")
        self.assertEqual(phone.field("Text").get_property("value"), "Bread")
        phone.tap("Back")
        phone.wait_for("Bread")
        # Its end.
        phone.tap("Bread")
        phone.wait_for_title("Note")
        phone.tap("Delete…")
        if base == "/objects/":
            phone.wait_for("Delete this note?")
            phone.tap("Cancel")
            phone.tap("Delete…")
        phone.tap("Delete")
        phone.wait_for("You have no notes yet.")
        # The way out, and in again.
        phone.tap("Log out")
        phone.wait_for("Create an account")
        self.assertIsNone(phone.driver.get_cookie("session"))
        phone.tap("Log in")
        phone.enter(name, "Name")
        phone.enter("another", "Password")
        phone.tap("Log In")
        # A section's title is drawn in capitals.
        phone.wait(lambda: f"you are {name}" in phone.text.lower(), "the log-in")

    def test_validated_inputs_and_selectors(self):
        phone = self.phone
        phone.open("/objects/selector")
        phone.field("Size").send_keys("L")
        phone.tap("Send the variables")
        phone.wait_for("L")
        self.assertIn('"L"', phone.script("return sessionStorage.getItem('backlot:applin:/objects/:variables')"))
        phone.open("/objects/textfield")
        phone.enter("x", "Polls page on change")
        phone.tab("Log")
        phone.wait(lambda: "POST" in phone.inside, "the refresh that the field asks for")

    def test_pictures_in_each_disposition(self):
        phone = self.phone
        phone.open("/objects/image")
        pictures = "document.querySelectorAll('.app .image img')"
        phone.wait(lambda: phone.script(f"return [...{pictures}].every((one) => one.naturalWidth > 0)"), "the pictures")
        self.assertEqual(phone.script(f"return [...{pictures}].map((one) => getComputedStyle(one).objectFit)"), ["contain", "cover", "fill"])
        # In a place of the picture's own shape, all three would look the same.
        ratios = phone.script(f"return [...{pictures}].map((one) => [one.naturalWidth / one.naturalHeight, one.clientWidth / one.clientHeight])")
        for own, place in ratios:
            self.assertGreater(own / place, 1.5)

    def test_photos_from_a_file_and_the_camera(self):
        phone = self.phone
        phone.open("/objects/photos")
        phone.tap("Choose a photo")
        picture = Server_picture()
        phone.driver.find_element(By.CSS_SELECTOR, ".sheet input[type=file]").send_keys(picture)
        phone.wait(lambda: phone.script("return document.querySelectorAll('.app img').length") == 1, "the photo")
        phone.tap("Take a photo")
        phone.tap("Use the Camera")
        phone.wait(lambda: phone.script("return document.querySelector('video')?.videoWidth > 0"), "the camera")
        phone.driver.find_element(By.CSS_SELECTOR, ".shutter").click()
        phone.wait(lambda: phone.script("return document.querySelectorAll('.app img').length") == 2, "the second photo")
        phone.tap("Choose a photo")
        phone.tap("Cancel")

    def test_by_keyboard_alone(self):
        phone = self.phone
        phone.open("/objects/modal")
        phone.script("document.querySelector('.form-button').focus()")
        phone.driver.switch_to.active_element.send_keys(Keys.TAB)
        phone.driver.switch_to.active_element.send_keys(Keys.ENTER)
        phone.wait_for("Go to page two?")
        phone.wait(lambda: phone.driver.switch_to.active_element.text == "Go", "the focus on the first button")
        names = []
        for _ in range(3):
            names.append(phone.driver.switch_to.active_element.text)
            phone.driver.switch_to.active_element.send_keys(Keys.TAB)
        self.assertEqual(names, ["Go", "Cancel", "Go"])
        phone.driver.switch_to.active_element.send_keys(Keys.TAB)
        phone.button("Go").send_keys(Keys.ENTER)
        phone.wait_for_title("Page Two")
        self.assertEqual(len(phone.stack), 2)

    def test_the_phone_changes(self):
        phone = self.phone
        phone.open("/textfield")
        choose = lambda name, value: phone.script(
            "const select = document.querySelector(`[data-choice=${arguments[0]}]`); select.value = arguments[1];"
            "select.dispatchEvent(new Event('change'));", name, value)
        direction = lambda: phone.script("return getComputedStyle(document.querySelector('.page')).direction")
        self.assertEqual(direction(), "ltr")
        choose("direction", "Right to left")
        self.assertEqual(direction(), "rtl")
        size = lambda: phone.script("return getComputedStyle(document.querySelector('.textfield textarea')).fontSize")
        self.assertEqual(size(), "17px")
        choose("text", "Accessibility")
        self.assertEqual(size(), "34px")
        back = lambda: phone.script("return getComputedStyle(document.querySelector('.page')).backgroundColor")
        choose("theme", "Dark")
        self.assertEqual(back(), "rgb(0, 0, 0)")
        choose("platform", "Android")
        self.assertEqual(back(), "rgb(20, 18, 24)")


def Server_picture():
    from server import ROOT

    return str(ROOT / "Public/image.png")
