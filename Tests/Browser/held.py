"""The next response from a path, held back until the test lets it go."""

HOLDER = """
const [path, real] = [arguments[0], window.fetch];
let isFirst = true;
window.fetch = async (url, options) => {
  const response = real(url, options);
  if (isFirst && new URL(url, location.origin).pathname === path) {
    isFirst = false;
    await new Promise((resume) => { window.letGo = resume; });
  }
  return response;
};
"""


class Held:
    """Holds back the next response from a path to the open page."""

    def __init__(self, phone, path):
        self.phone = phone
        phone.script("delete window.letGo")
        phone.script(HOLDER, path)

    def wait(self):
        """Waits until it was requested."""
        self.phone.wait(lambda: self.phone.script("return window.letGo !== undefined"), "the request")

    def let_go(self):
        self.phone.script("window.letGo()")
