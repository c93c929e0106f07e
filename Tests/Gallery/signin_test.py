#!/usr/bin/env python3
"""Signs in to a server, in Chromium: with the link that it prints, with wrong tokens, and with tokens that read, write, or are
revoked. Then signs out, which ends the session of each tab.

    signin_test.py PHOTOSTREAM [SCREENSHOTS]
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, sync_playwright

BROWSER = "/usr/bin/chromium-headless-shell"
PHOTOSTREAM = sys.argv[1]
SCREENSHOTS = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
SAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "SampleData"
IS_OPEN = "document.querySelector('#sign-in').open"


def wait(page, expression):
    end = time.monotonic() + 90
    while time.monotonic() < end:
        try:
            if page.evaluate(expression): return
        except Error:
            # The page is being loaded again.
            pass
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {expression}")


class Server:
    """A server with a stream, in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.run("import", "--stream", "sample", SAMPLES / "photos.jsonl")
        self.tokens = {scope: self.token(scope) for scope in ("read", "write")}
        self.process = subprocess.Popen(
            [PHOTOSTREAM, "serve", "--port", "0"], cwd=folder, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.link = re.search(r"http\S+", self.process.stdout.readline())[0]

    def run(self, *arguments):
        return subprocess.run(
            [PHOTOSTREAM, *map(str, arguments)], cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def token(self, scope):
        return json.loads(self.run("tokens", "create", scope, "--scope", scope, "--json"))["secret"]


def sign_in(page, token):
    page.fill("#sign-in input", token)
    page.keyboard.press("Enter")


def visit(browser, server, scheme):
    context = browser.new_context(viewport={"width": 1000, "height": 700}, color_scheme=scheme)
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.goto(server.address)
    wait(page, IS_OPEN)
    assert page.evaluate("document.activeElement.name") == "token"
    if SCREENSHOTS: page.screenshot(path=SCREENSHOTS / f"sign-in-{scheme}.png")
    grave = [each["id"] for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")]
    assert not grave, grave
    # Escape does not close the form.
    page.keyboard.press("Escape")
    assert page.evaluate(IS_OPEN)
    page.keyboard.press("Enter")
    assert page.inner_text("#sign-in-problem") == "Enter a token."
    sign_in(page, "photostream_wrong")
    wait(page, "document.querySelector('#sign-in-problem').textContent.startsWith('This token is unknown')")
    assert page.evaluate("document.activeElement.name") == "token"

    # The rights arrive with the stream.
    with page.expect_response(lambda answer: answer.url.endswith("/v1/streams/sample") and answer.ok):
        sign_in(page, server.tokens["read"])
    wait(page, f"!{IS_OPEN} && document.querySelectorAll('.cell').length > 5")
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))")
    assert not page.evaluate("document.documentElement.classList.contains('can-edit')")
    if scheme == "dark": return context.close()

    other = context.new_page()
    other.goto(server.address)
    wait(other, "document.querySelectorAll('.cell').length > 5")
    page.evaluate("document.querySelector('#scroller').scrollTop = 900")
    wait(page, "location.hash.includes('at=')")
    server.run("tokens", "revoke", "read")
    start = time.monotonic()
    for tab in (page, other): wait(tab, IS_OPEN)
    print(f"a revoked token asked for another one in both tabs after {time.monotonic() - start:.1f} s")
    assert page.evaluate("document.querySelectorAll('.cell').length") > 5
    sign_in(page, server.tokens["write"])
    wait(page, f"!{IS_OPEN} && document.documentElement.classList.contains('can-edit')")
    assert page.evaluate("document.querySelector('#scroller').scrollTop") == 900
    other.reload()
    wait(other, f"document.readyState === 'complete' && !{IS_OPEN} && document.querySelectorAll('.cell').length > 5")
    page.click("[popovertarget=view]")
    wait(page, "document.querySelector('#sign-out').title === 'Signed in as “write”'")
    page.click("#sign-out")
    wait(page, f"document.readyState === 'complete' && {IS_OPEN}")
    wait(other, IS_OPEN)
    assert context.cookies() == []
    server.tokens["read"] = server.token("read")
    context.close()


def follow(browser, server, scheme, size, link):
    """Opens a link as a messenger does, then presses its button as a person does; then opens it once more."""
    context = browser.new_context(viewport=size, color_scheme=scheme)
    context.set_default_timeout(90_000)
    assert context.request.get(link).ok and context.cookies() == []
    page = context.new_page()
    page.goto(link)
    if SCREENSHOTS: page.screenshot(path=SCREENSHOTS / f"sign-in-link-{scheme}-{size['width']}.png")
    grave = [each["id"] for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")]
    assert not grave, grave
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("getComputedStyle(document.querySelector('button')).minHeight") == "48px"
    page.click("button")
    page.wait_for_url(server.address + "/**")
    wait(page, f"!{IS_OPEN} && document.querySelectorAll('.cell').length > 5")
    wait(page, "document.querySelector('#sign-out').title.startsWith('Signed in as')")
    other = browser.new_context(viewport=size, color_scheme=scheme).new_page()
    assert other.goto(link).status == 404
    assert other.inner_text("h1") == "This link has ended"
    if SCREENSHOTS: other.screenshot(path=SCREENSHOTS / f"sign-in-link-ended-{scheme}-{size['width']}.png")
    other.context.close()
    context.close()


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(folder)
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            follow(browser, server, "light", {"width": 1200, "height": 800}, server.link)
            path = server.run("tokens", "create", "phone", "--scope", "write", "--link", "--server", server.address).strip()
            follow(browser, server, "dark", {"width": 390, "height": 844}, path)
            for scheme in ("light", "dark"): visit(browser, server, scheme)
        finally:
            browser.close()
            server.process.terminate()
            server.process.wait()
    print("signing in: ok")


if __name__ == "__main__":
    main()
