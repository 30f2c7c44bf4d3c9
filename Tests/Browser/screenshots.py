"""Takes the pictures of the documentation: every widget as preview draws it.

    python screenshots.py
"""

import io
import time

from PIL import Image
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from phone import Phone, open_browser
from server import ROOT, Server

FOLDER = ROOT / "Sources/Backlot/Backlot.docc/Pictures"
# How wide pictures of the phone are, in pixels.
WIDTH = 280

APPLIN = {
    "nav_page": "nav_page", "plain_page": "plain_page", "back_button": "back_button", "button": "button", "checkbox": "checkbox",
    "checkbox_button": "checkbox_button", "column": "column", "empty": "empty", "error_text": "error_text", "form": "form",
    "form_button": "form_button", "form_section": "form_section", "grouped_row_table": "grouped_row_table", "image": "image",
    "last_error_text": "last_error_text", "nav_button": "nav_button", "scroll": "scroll", "selector": "selector", "table": "table", "text": "text",
    "textfield": "textfield",
}


def save(driver, name, selector=".screen", width=WIDTH, colors=256):
    time.sleep(0.5)
    # The driver's own pictures of elements are beside them where the phone is drawn smaller than it is.
    box = driver.execute_script(
        "const {left, top, right, bottom} = document.querySelector(arguments[0]).getBoundingClientRect(); return [left, top, right, bottom]", selector)
    picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    picture = picture.crop(tuple(min(round(edge), picture.size[index % 2]) for index, edge in enumerate(box)))
    picture = picture.resize((width, round(picture.height * width / picture.width)), Image.LANCZOS)
    FOLDER.mkdir(parents=True, exist_ok=True)
    picture.quantize(colors, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def picture_of_the_editor(phone):
    """A mock file, with a mistake and the words that may stand there."""
    phone.open("/mock/books")
    phone.tab("Editor")
    phone.wait(lambda: "wrong" in phone.inside, "the file")
    phone.script(
        "const code = document.querySelector('.CodeMirror').CodeMirror; const text = code.getValue();"
        "const word = text.indexOf('nav_button'); const at = code.posFromIndex(word);"
        "code.replaceRange('nav', at, code.posFromIndex(word + 10)); code.focus(); code.setCursor({ line: at.line, ch: at.ch + 3 });"
    )
    phone.wait(lambda: "1 error" in phone.inside, "the mistake")
    phone.driver.switch_to.active_element.send_keys(Keys.CONTROL, Keys.SPACE)
    phone.wait(lambda: phone.driver.find_elements(By.CSS_SELECTOR, ".CodeMirror-hints"), "the words")
    save(phone.driver, "preview-editor", "body", width=1000)


def main():
    server = Server()
    driver = open_browser(1320, 960)
    phone = Phone(driver, server.url)
    try:
        known = Server.pages()
        for name, path in APPLIN.items():
            if f"/objects/{path}" not in known:
                print(f"there is no page /objects/{path}")
                continue
            phone.open(f"/objects/{path}")
            save(driver, f"applin-{name}")
        phone.open("/objects/modal")
        phone.tap("Ask before something is destroyed")
        save(driver, "applin-modal")
        phone.open("/objects/photos")
        phone.tap("Choose a photo")
        save(driver, "applin-choose_photo")
        phone.open("/xpedite")
        save(driver, "xpedite-button")
        phone.script("document.querySelector('.bar-button').click()")
        save(driver, "xpedite-navigation")
        phone.tap("Customers")
        phone.wait(lambda: "Grace 7" in phone.text, "the rows")
        save(driver, "xpedite-table")
        phone.script("document.querySelectorAll('.bar-button')[0].click()")
        phone.tap("Log in")
        phone.wait_for_title("Log in")
        save(driver, "xpedite-form-dialog")
        phone.enter("ada", "User name")
        phone.enter("secret", "Password")
        driver.find_element(By.CSS_SELECTOR, ".sign[aria-label='Log in']").click()
        phone.wait_for("Welcome, ada")
        phone.tap("Customers")
        phone.wait(lambda: "Grace 7" in phone.text, "the rows")
        phone.script("[...document.querySelectorAll('.bar-button')].at(-1).click()")
        phone.tap("Add")
        phone.wait_for_title("Add Customer")
        phone.script("document.activeElement.blur()")
        save(driver, "xpedite-form")
        phone.open("/floki/v1-app")
        phone.wait_for("Old bridge closed for a week")
        save(driver, "floki-news")
        phone.tap("Old bridge closed for a week")
        save(driver, "floki-item")
        phone.tap("Back")
        phone.tap("Photos")
        phone.wait(lambda: phone.script("return document.querySelectorAll('.app .cell').length") > 0, "the photos")
        save(driver, "floki-gallery")
        phone.tap("Movie")
        save(driver, "floki-movie")
        phone.tap("About")
        save(driver, "floki-web")
        for name in ["dashboard", "profile"]:
            phone.open(f"/views/{name}.json")
            save(driver, f"views-{name}")
        phone.open("/objects/new_account")
        phone.tab("Tree")
        driver.find_element(By.XPATH, "//li[@role='treeitem'][contains(., 'checkbox')]").click()
        save(driver, "preview", "body", width=1000, colors=256)
        phone.open("/objects/new_account")
        driver.find_element(By.XPATH, "//button[normalize-space(.)='Wall']").click()
        save(driver, "preview-wall", "body", width=1000, colors=256)
        driver.find_element(By.XPATH, "//button[normalize-space(.)='Close the wall']").click()
        save_phone_in(driver, phone, "dark", {"theme": "Dark"})
        save_phone_in(driver, phone, "android", {"platform": "Android", "theme": "Light"})
        save_phone_in(driver, phone, "right-to-left", {"direction": "Right to left", "platform": "iOS"})
        picture_of_the_editor(phone)
    finally:
        driver.quit()
        server.stop()
    for picture in sorted(FOLDER.glob("*.png")):
        print(f"{picture.stat().st_size:7} {picture.relative_to(ROOT)}")


def save_phone_in(driver, phone, name, choices):
    for choice, value in choices.items():
        phone.script(
            "const select = document.querySelector(`[data-choice=${arguments[0]}]`); select.value = arguments[1];"
            "select.dispatchEvent(new Event('change'));",
            choice,
            value,
        )
    save(driver, f"look-{name}")


if __name__ == "__main__":
    main()
