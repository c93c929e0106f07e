"""The languages of the page."""

import glob
import html.parser
import os
import re

from browser.checks import Checks

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/PhotoStreamGallery/Files")
LANGUAGES = ["de", "ar"]
# The texts of these are not named where they are translated.
CALL = r'(?:\btext|\btranslated)\('
LITERAL = r'"((?:[^"\\]|\\.)*)"'


class Written(html.parser.HTMLParser):
    """Collects the texts that are written in the page, without those in code and for browsers without scripts."""

    def __init__(self):
        super().__init__()
        self.texts, self.depth = set(), 0

    def handle_starttag(self, tag, attributes):
        self.depth += tag in ("code", "title", "noscript")
        for name, value in attributes:
            if name in ("aria-label", "title", "placeholder") and re.search("[A-Za-z]{2}", value or ""):
                self.texts.add(value)

    def handle_endtag(self, tag):
        self.depth -= tag in ("code", "title", "noscript")

    def handle_data(self, data):
        if self.depth == 0 and re.search("[A-Za-z]", data):
            self.texts.add(data.strip())


def texts_of_page():
    """Returns the texts in the page and its modules that are translated."""
    written = Written()
    with open(os.path.join(FILES, "index.html"), encoding="utf-8") as file:
        written.feed(file.read())
    # A name, and letters of the keyboard.
    texts = {text for text in written.texts if text != "PhotoStream"}
    for path in glob.glob(os.path.join(FILES, "*.js")):
        with open(path, encoding="utf-8") as file:
            code = file.read()
        texts.update(re.findall(CALL + r"\s*" + LITERAL, code))
        for pair in re.findall(CALL + r"[^()]*\? " + LITERAL + " : " + LITERAL, code):
            texts.update(pair)
        texts.update(other for _, other in re.findall(r"\bplural\(\s*\w+, " + LITERAL + ", " + LITERAL, code))
        texts.update(re.findall(r"const lostPhoto = " + LITERAL, code))
        if path.endswith("keys.js"):
            texts.update(text for row in re.findall(r"\[" + LITERAL + ", " + LITERAL + r"\]", code) for text in row)
            texts.update(re.findall("title: " + LITERAL, code))
    return {text for text in texts if re.search("[A-Za-z]{2}|^[NSEW]$", text)}


# What people read, written without a translation; of the notes with commands, the shell's language is English.
UNTRANSLATED = r'(?:toast\.show\(|textContent = |\.title = |setAttribute\("aria-label", |new Refusal\()[`"](?!photostream )[^`"$]*[A-Za-z]{3}'


class LanguageChecks(Checks):
    def nothing_that_people_read_lacks_a_translation(self):
        for path in glob.glob(os.path.join(FILES, "*.js")):
            with open(path, encoding="utf-8") as file:
                found = re.findall(UNTRANSLATED, file.read())
            assert not found, (path, found)

    def every_text_is_translated(self):
        """The tables have exactly the texts of the page, with the same names of values."""
        visit = self._visit().open("stream=photos")
        expected = texts_of_page()
        assert len(expected) > 180, len(expected)
        for language in LANGUAGES:
            table = visit.page.evaluate(f"import('/gallery/texts-{language}.js').then(({{ texts }}) => texts)")
            missing, unused = expected - table.keys(), table.keys() - expected
            assert not missing and not unused, (language, sorted(missing), sorted(unused))
            for english, found in table.items():
                for form in found.values() if isinstance(found, dict) else [found]:
                    names = set(re.findall(r"\{\w+\}", english))
                    assert form and set(re.findall(r"\{\w+\}", form)) <= names, (language, english, form)
        visit.close()

    def the_page_is_in_the_language_of_the_browser(self):
        for locale, search, selected, direction in [
            ("de-AT", "Suchen", "1 ausgewählt", "ltr"), ("ar-EG", "بحث", "المحدد: ١", "rtl"), ("en-GB", "Search", "1 selected", "ltr"),
            ("fi-FI", "Search", "1 selected", "ltr"),
        ]:
            visit = self._editable("sections=month", "photos", locale=locale)
            page = visit.page
            html = page.locator("html")
            assert html.get_attribute("lang") == (locale[:2] if locale[:2] != "fi" else "en") and html.get_attribute("dir") == direction
            assert page.locator("[name=search]").get_attribute("placeholder") == search
            page.locator(".cell a[tabindex='0']").focus()
            page.keyboard.press("Space")
            page.wait_for_selector("#selection:not([hidden])")
            assert page.locator("#selection .number").inner_text() == selected
            page.keyboard.press("Escape")
            page.wait_for_selector("#selection", state="hidden")
            visit.rest()
            self._shot(visit, f"language-{locale}")
            visit.close()

    def a_missing_table_leaves_english(self):
        visit = self._visit(locale="de-DE")
        visit.page.route("**/gallery/texts-de.js", lambda route: route.fulfill(status=404))
        visit.open("stream=photos")
        assert visit.page.locator("[name=search]").get_attribute("placeholder") == "Search"
        visit.forgive("404")
        visit.close()
