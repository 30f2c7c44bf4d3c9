"""Records the picture that moves at the top of the README: a form, a newspaper, a mock file in the editor, and a page on all devices.

    python tour.py
"""

import io
import time

from PIL import Image
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from phone import Phone, open_browser
from server import ROOT, Server

PICTURE = ROOT / ".github/tour.gif"
#: The largest file that a reader should have to load, in bytes.
LARGEST = 2_000_000
#: The size of the window and of the picture, in pixels.
WINDOW = (1180, 860)
SIZE = (944, 578)


class Tour:
    """Frames, each with the time that it stays, in milliseconds."""

    def __init__(self, driver, url):
        self.driver = driver
        self.phone = Phone(driver, url)
        self.frames = []

    def show(self, duration):
        if duration > 300:
            time.sleep(0.4)  # Pages slide in.
        self.phone.drawn()
        picture = Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB")
        height = round(SIZE[1] * picture.width / SIZE[0])
        self.frames.append((picture.crop((0, 0, picture.width, height)).resize(SIZE, Image.LANCZOS), duration))

    def type(self, text, label):
        field = self.phone.wait(lambda: self.phone.field(label), f"the field {label!r}")
        field.send_keys(Keys.CONTROL, "a", Keys.DELETE)
        for letter in text:
            field.send_keys(letter)
            self.show(90)

    def tap(self, text, duration):
        self.phone.tap(text)
        self.show(duration)

    def save(self):
        # One palette for all frames, made from each of the long ones.
        long = [frame for frame, duration in self.frames if duration > 500]
        sheet = Image.new("RGB", (SIZE[0], SIZE[1] * len(long)))
        for index, frame in enumerate(long):
            sheet.paste(frame, (0, SIZE[1] * index))
        palette = sheet.quantize(256, method=Image.Quantize.MEDIANCUT)
        pictures = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame, _ in self.frames]
        pictures[0].save(
            PICTURE, save_all=True, append_images=pictures[1:], duration=[duration for _, duration in self.frames], loop=0, optimize=False, disposal=1
        )
        size = PICTURE.stat().st_size
        assert size <= LARGEST, f"{PICTURE} has {size} bytes, and may have {LARGEST}: show less"
        print(f"{size:7} {PICTURE.relative_to(ROOT)}, {len(self.frames)} frames, {sum(duration for _, duration in self.frames) / 1000:.1f} s")


def main():
    server = Server()
    driver = open_browser(*WINDOW)
    tour = Tour(driver, server.url)
    phone = tour.phone
    try:
        # A form: its tree, the keys of the chosen widget, and the server's refusal.
        phone.open("/objects/new_account")
        phone.tab("Tree")
        driver.find_element(By.XPATH, "//li[@role='treeitem'][contains(., 'checkbox')]").click()
        tour.show(1800)
        tour.type("Al", "Username")
        tour.show(500)
        tour.tap("Create Account", 2200)
        tour.tap("Back", 400)
        tour.tap("I agree", 700)
        tour.tap("Create Account", 2200)
        # A newspaper in another protocol.
        phone.open("/floki/v1-app")
        phone.wait_for("Old bridge closed for a week")
        tour.show(1800)
        tour.tap("Old bridge closed for a week", 1800)
        # A mock route in the editor.
        phone.open("/mock/books")
        phone.tab("Editor")
        phone.wait(lambda: "nav_button" in phone.inside, "the file")
        tour.show(2200)
        # And a page on all devices.
        phone.open("/objects/new_account")
        driver.find_element(By.XPATH, "//button[normalize-space(.)='Wall']").click()
        phone.wait(lambda: phone.is_calm, "the wall")
        tour.show(2600)
    finally:
        driver.quit()
        server.stop()
    tour.save()


if __name__ == "__main__":
    main()
