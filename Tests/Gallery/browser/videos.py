"""Videos: in their cells, under the pointer, and on the whole screen."""

import os
import subprocess
import time

from axe_playwright_python.sync_playwright import Axe

from browser.checks import Checks, page_text

# Counts the videos that were in the page, and notes how many there were at once.
COUNTER = """
window.films = { sources: [], most: 0 };
document.addEventListener("DOMContentLoaded", () => {
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) if (node instanceof HTMLVideoElement) films.sources.push(node.src);
    }
    films.most = Math.max(films.most, document.querySelectorAll("video").length);
  }).observe(document, { childList: true, subtree: true });
});
"""
# Ends when a timer of the page has fired that was set after the one of a pointer that rests.
RESTED = "() => new Promise((resolve) => setTimeout(resolve, 600))"
SIGNS = """
() => Object.fromEntries([...document.querySelectorAll(".cell:not([hidden])")].map((cell) => {
  const { content } = getComputedStyle(cell, "::after");
  return [new URLSearchParams(cell.querySelector("a").hash.slice(1)).get("photo"), content === "none" ? null : JSON.parse(content.split(" / ")[0])];
}))
"""
FILMS = [
    # The name, the arguments of ffmpeg, the seconds, and the codec.
    ("clip.mp4", ["-c:v", "libx264", "-movflags", "+faststart"], 12, "avc1"),
    ("phone.mov", ["-c:v", "libx264", "-c:a", "aac"], 2, "avc1"),
    ("new.mov", ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=none"], 1, "hvc1"),
    ("web.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8"], 1, "vp09"),
    ("old.avi", ["-c:v", "mpeg4"], 1, "mp4v"),
]


class VideoChecks(Checks):
    def _films(self, stream, **more):
        """Makes a stream with five clips and a photo; `more` are other members of photos by their ids."""
        folder = self.lane.films()
        for name, arguments, seconds, _ in FILMS:
            if os.path.exists(os.path.join(folder, name)):
                continue
            subprocess.run(
                ["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=12", "-f", "lavfi",
                 "-i", "sine=frequency=440", "-t", str(seconds), "-pix_fmt", "yuv420p", *arguments, os.path.join(folder, name)],
                check=True)
        with open(os.path.join(folder, "broken.mp4"), "wb") as file:
            file.write(b"\0\0\0\x14ftypisom\0\0\2\0isom" + bytes(1_000))
        photos = [{"id": name, "location": os.path.join(folder, name), "duration": seconds, "codec": codec,
                   "takenAt": f"2026-06-{20 - number}T10:00:00Z", "width": 320, "height": 240, "color": "#408090"}
                  for number, (name, _, seconds, codec) in enumerate(FILMS)]
        photos.append({"id": "photo", "width": 320, "height": 240, "takenAt": "2026-06-01T10:00:00Z", "color": "#804040"})
        for photo in photos:
            photo.update(more.get(photo["id"].split(".")[0], {}))
        self.server.make_stream(stream, photos)

    def _counting(self, fragment, wait=".cell", **options):
        visit = self._visit(**options)
        visit.page.add_init_script(COUNTER)
        return visit.open(fragment, wait)

    def _rest_on(self, visit, id):
        box = visit.photo(id).bounding_box()
        visit.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def _time(self, visit, selector):
        """Returns the time of a video that is shown; -1 without one."""
        return visit.page.evaluate("(selector) => document.querySelector(selector)?.currentTime ?? -1", selector)

    def a_cell_shows_the_length_of_its_video(self):
        """The sign is part of the texts of a page, not of a request for each photo, and it moves nothing."""
        self._films("films", clip={"title": "A clip", "duration": 12.4}, new={"duration": 3_723})
        signs = {"clip.mp4": "0:12", "phone.mov": "0:02", "new.mov": "1:02:03", "web.webm": "0:01", "old.avi": "0:01", "photo": None}
        for layout in ["justified", "masonry", "grid", "flow"]:
            visit = self._visit()
            asked = []
            visit.page.on("request", lambda request: asked.append(request.url))
            visit.open(f"stream=films&layout={layout}&sections=none")
            visit.until(lambda: visit.page.evaluate(SIGNS) == signs)
            assert not [url for url in asked if "/photos/" in url], asked
            names = [visit.photo(id).get_attribute("aria-label") for id in ["clip.mp4", "new.mov", "photo"]]
            assert names[0] == "Video, 12 seconds, A clip, June 20, 2026", names
            assert names[1].startswith("Video, 1 hour, 2 minutes, 3 seconds, June 18, 2026"), names
            assert names[2].startswith("June 1, 2026"), names
            self._shot(visit, f"videos-{layout}")
            visit.close()

    def a_length_is_shown_in_every_language(self):
        self._films("films", new={"duration": 3_723})
        for locale, sign, name in [
            ("de-DE", "1:02:03", "Video, 1 Stunde, 2 Minuten und 3 Sekunden, "), ("ar-EG", "١:٠٢:٠٣", "فيديو، ساعة"),
        ]:
            for size in [{}, {"width": 360, "height": 640}]:
                visit = self._visit(locale=locale, scheme="dark", **size).open("stream=films&sections=none&size=140&captions=yes")
                visit.until(lambda: visit.page.evaluate(SIGNS).get("new.mov") == sign)
                assert visit.photo("new.mov").get_attribute("aria-label").startswith(name), visit.photo("new.mov").get_attribute("aria-label")
                self._shot(visit, f"videos-{locale}-{size.get('width', 'desktop')}")
                visit.close()

    def a_narrow_cell_has_the_sign_alone(self):
        """And one of a few points has none."""
        self._films("films", clip={"width": 60, "height": 240}, phone={"width": 2_000, "height": 20})
        for fragment, sign in [("layout=grid&size=80", ""), ("layout=justified", None)]:
            visit = self._visit(width=360).open(f"stream=films&sections=none&{fragment}")
            visit.until(lambda: visit.page.evaluate(SIGNS).get("new.mov") is not None)
            assert visit.page.evaluate(SIGNS)["clip.mp4"] == sign, visit.page.evaluate(SIGNS)
            visit.close()

    def a_video_plays_under_the_pointer(self):
        """One at a time, without sound; nothing of it stays when the pointer leaves, and none plays that the browser cannot."""
        self._films("films")
        visit = self._counting("stream=films&layout=grid&sections=none", height=400)
        page = visit.page
        for id in ["clip.mp4", "phone.mov", "web.webm", "clip.mp4"]:
            self._rest_on(visit, id)
            visit.until(lambda: self._time(visit, ".cell video.playing") > 0)
            video = page.locator(".cell video")
            assert video.count() == 1 and video.evaluate("video => video.muted && video.closest('a') !== null && video.ariaHidden === 'true'")
            assert id in video.get_attribute("src")
        self._shot(visit, "videos-preview")
        page.mouse.wheel(0, 200)
        visit.until(lambda: page.locator("video").count() == 0)
        page.mouse.move(2, 2)
        visit.scroll_to(0)
        for id in ["new.mov", "old.avi", "photo"]:
            self._rest_on(visit, id)
            page.evaluate(RESTED)
        # While a cell does not keep its photo, it keeps no video, either.
        self._rest_on(visit, "clip.mp4")
        visit.until(lambda: page.locator(".cell video").count() == 1)
        self.server.ask("/v1/streams/films/photos/clip.mp4", "DELETE")
        visit.until(lambda: page.locator("video").count() == 0)
        self._rest_on(visit, "phone.mov")
        visit.until(lambda: page.locator(".cell video").count() == 1)
        page.mouse.move(2, 2)
        visit.until(lambda: page.locator("video").count() == 0)
        # Nor behind a photo that a key opens.
        self._rest_on(visit, "web.webm")
        visit.until(lambda: page.locator(".cell video").count() == 1)
        visit.photo("photo").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#lightbox[open] .counter:not(:empty)")
        visit.until(lambda: page.locator("video").count() == 0)
        films = page.evaluate("films")
        assert films["most"] == 1 and not [source for source in films["sources"] if "new.mov" in source or "old.avi" in source], films
        visit.close()

    def a_passing_pointer_plays_nothing(self):
        """Nor one of a person who wants less motion, nor a finger."""
        self._films("films")
        for options in [{}, {"reduced_motion": "reduce"}, {"has_touch": True, "is_mobile": True}]:
            visit = self._counting("stream=films&layout=grid&sections=none", **options)
            page = visit.page
            if options.get("has_touch"):
                visit.photo("clip.mp4").dispatch_event("pointerover", {"pointerType": "touch", "bubbles": True})
                page.evaluate(RESTED)
            else:
                for id in ["clip.mp4", "phone.mov", "clip.mp4", "web.webm"]:
                    self._rest_on(visit, id)
                    if options:
                        page.evaluate(RESTED)
                page.mouse.move(2, 2)
                page.evaluate(RESTED)
            assert page.evaluate("films.sources") == []
            visit.close()

    def a_video_plays_on_the_whole_screen(self):
        """Keys, sound, neighbours, information, and nothing afterwards."""
        self._films("films", clip={"title": "A clip"})
        visit = self._counting("stream=films&sections=none&photo=clip.mp4", wait="#lightbox .frame video")
        page = visit.page
        video = page.locator("#lightbox .frame video")
        playing = lambda: page.evaluate("document.querySelector('#lightbox video')?.paused === false")
        assert video.evaluate("video => [video.controls, video.playsInline, video.muted, video.paused]") == [True] * 4
        assert video.get_attribute("aria-label") == "Video, 12 seconds, A clip, June 20, 2026"
        page.keyboard.press("Space")
        visit.until(lambda: self._time(visit, "#lightbox video") > 0 and playing())
        self._shot(visit, "videos-playing")
        page.keyboard.press("Space")
        visit.until(lambda: not playing())
        # Zooming does nothing.
        box = video.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
        page.keyboard.press("+")
        page.mouse.wheel(0, -400)
        visit.frame()
        assert video.bounding_box() == box, (video.bounding_box(), box)
        page.keyboard.press("i")
        details = page.locator("#lightbox .panel > dl")
        visit.until(lambda: "H.264" in details.inner_text())
        assert "0:12" in details.inner_text() and "Length" in details.inner_text() and "Codec" in details.inner_text()
        # What was chosen for one video is kept for the next.
        video.evaluate("""video => new Promise((resolve) => {
          video.addEventListener("volumechange", resolve, { once: true });
          Object.assign(video, { muted: false, volume: 0.5 });
        })""")
        page.locator("#lightbox .stage").focus()
        page.keyboard.press("ArrowRight")
        visit.until(lambda: "phone.mov" in (video.get_attribute("src") or ""))
        assert video.count() == 1 and video.evaluate("video => [video.muted, video.volume]") == [False, 0.5]
        # Their own controls have the arrow keys while they have the focus.
        counter = page_text(visit, "#lightbox .counter")
        video.focus()
        page.keyboard.press("ArrowRight")
        visit.rest()
        assert page_text(visit, "#lightbox .counter") == counter == "2 / 6"
        # A click plays it, and a swipe goes on.
        box = video.bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3
        page.mouse.click(*middle)
        visit.until(lambda: self._time(visit, "#lightbox video") > 0)
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] + 40, middle[1], steps=4)
        page.mouse.move(middle[0] + 120, middle[1], steps=4)
        page.mouse.up()
        visit.until(lambda: page_text(visit, "#lightbox .counter") == "1 / 6")
        # A pointer that rests on a cell would play its video afterwards.
        page.mouse.move(2, 2)
        page.keyboard.press("Escape")
        # The dialog is closed before its event arrives.
        visit.until(lambda: page.locator("video").count() == 0 and not page.locator("#lightbox").is_visible())
        assert page.evaluate("films.most") == 1, page.evaluate("films")
        visit.close()

    def a_video_that_the_browser_cannot_play_is_offered(self):
        """With its poster, the plain name of its codec, and the file under its name."""
        self._films("films", web={"location": os.path.join(self.lane.films(), "broken.mp4"), "codec": "avc1"})
        for id, reason, options in [
            ("new.mov", "This browser cannot play HEVC.", {}), ("old.avi", "This browser cannot play MPEG-4.", {}),
            ("web.webm", "This browser cannot play H.264.", {}), ("new.mov", "لا يستطيع هذا المتصفح تشغيل HEVC.", {"locale": "ar-EG"}),
            ("new.mov", "This browser cannot play HEVC.", {"width": 360, "height": 640, "has_touch": True, "is_mobile": True}),
        ]:
            visit = self._visit(**options).open(f"stream=films&sections=none&photo={id}", wait="#lightbox .unplayable:not([hidden])")
            page = visit.page
            assert page_text(visit, ".unplayable p").startswith(reason), page_text(visit, ".unplayable p")
            assert page.locator("#lightbox video").count() == 0
            with page.expect_download() as download:
                page.locator(".unplayable a").click()
            name = {"web.webm": "broken.mp4"}.get(id, id)
            assert download.value.suggested_filename == name, download.value.suggested_filename
            self._shot(visit, f"videos-unplayable-{id}-{options.get('locale', options.get('width', 'desktop'))}")
            page.keyboard.press("ArrowDown")
            visit.until(lambda: id not in page.url)
            visit.rest()
            page.keyboard.press("Escape")
            visit.rest()
            assert not page.locator(".unplayable").is_visible()
            visit.close(allow_shift=True)

    def videos_are_accessible(self):
        """axe finds no serious violations in the grid, the player and the refusal, in light and dark."""
        self._films("films")
        for scheme in ["light", "dark"]:
            for fragment, wait in [("", ".cell[data-length]"), ("&photo=clip.mp4", "#lightbox video"), ("&photo=new.mov", ".unplayable:not([hidden])")]:
                visit = self._visit(scheme=scheme).open(f"stream=films&sections=none{fragment}", wait)
                violations = Axe().run(visit.page).response["violations"]
                serious = [(violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
                           for violation in violations if violation["impact"] in ("serious", "critical")]
                assert not serious, (scheme, fragment, serious)
                visit.close()

    def a_share_without_originals_shows_posters(self):
        """Its page requests no video, also under the pointer."""
        self._films("films")
        for options, plays in [([], False), (["--originals"], True)]:
            link = self.lane.share(f"{time.time_ns()}", "films", *options)
            visit = self._counting("", None)
            page = visit.page
            page.goto(f"{link}#sections=none")
            visit.settle()
            visit.until(lambda: len([sign for sign in page.evaluate(SIGNS).values() if sign]) == 5)
            visit.until(lambda: page.locator("html.no-names").count() == 1)
            page.locator(".cell a").first.hover()
            page.evaluate(RESTED)
            if plays:
                visit.until(lambda: self._time(visit, ".cell video") > 0)
            page.locator(".cell a").first.click()
            page.wait_for_selector("#lightbox[open] .counter:not(:empty)")
            if plays:
                visit.until(lambda: page.locator("#lightbox video").count() == 1)
                page.keyboard.press("Space")
                visit.until(lambda: self._time(visit, "#lightbox video") > 0)
            else:
                visit.until(lambda: page_text(visit, ".unplayable p") == "The videos of this link are shown as pictures.")
                assert not page.locator(".unplayable a").is_visible() and page.evaluate("films.sources") == []
            visit.close(allow_shift=True)

    def the_film_of_a_motion_photo_plays(self):
        """By a button and by a key, over the picture, which is back afterwards; the file itself is not requested."""
        folder = os.path.join(self.lane.folder, "motion")
        os.makedirs(folder, exist_ok=True)
        make = ["ffmpeg", "-nostdin", "-y", "-f", "lavfi", "-i"]
        for source, name in [("testsrc2=s=320x240:d=1", "still.mp4"), ("color=navy:s=320x240:d=1", "picture.jpg")]:
            only = ["-frames:v", "1"] if name.endswith(".jpg") else ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
            subprocess.run([*make, source, *only, os.path.join(folder, name)], check=True, capture_output=True)
        with open(os.path.join(folder, "picture.jpg"), "ab") as file, open(os.path.join(folder, "still.mp4"), "rb") as film:
            file.write(film.read())
        os.remove(os.path.join(folder, "still.mp4"))
        subprocess.run([self.lane.photostream, "import", "--database", os.path.join(self.lane.folder, "photos.sqlite"),
                        "--stream", "motion", folder], check=True, capture_output=True)
        visit = self._counting("stream=motion&photo=picture.jpg", wait="#lightbox .film:not([hidden])")
        page = visit.page
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        for play in [lambda: page.locator("#lightbox .film").click(), lambda: page.keyboard.press("Space")]:
            page.locator("#lightbox .stage").focus()
            play()
            visit.until(lambda: self._time(visit, "#lightbox video") > 0)
            self._shot(visit, "videos-motion")
            visit.until(lambda: page.locator("video").count() == 0)
            assert page.locator("#lightbox .frame img").is_visible()
        assert {source.rsplit("/", 1)[1] for source in page.evaluate("films.sources")} == {"film"}
        assert not [url for url in asked if url.endswith("/image")], asked
        page.locator("#lightbox .film").click()
        visit.until(lambda: self._time(visit, "#lightbox video") > 0)
        page.keyboard.press("Escape")
        visit.until(lambda: page.locator("#lightbox video").count() == 0 and not page.locator("#lightbox").is_visible())
        visit.close(allow_shift=True)

    def a_printed_video_is_its_poster(self):
        self._films("films")
        visit = self._visit().open("stream=films&sections=none&photo=clip.mp4", wait="#lightbox .frame video")
        page = visit.page
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.emulate_media(media="print")
        assert page.locator("video").count() == 1 and not page.locator("video").is_visible()
        # Timers run in their order: this one ends after that of a window with another size.
        page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 500)))")
        assert not [url for url in asked if "/layout?" in url], asked
        assert page.evaluate(SIGNS)["clip.mp4"] is not None
        assert page.evaluate("getComputedStyle(document.querySelector('.cell[data-length]'), '::after').display") == "none"
        page.emulate_media(media="screen")
        visit.close(allow_shift=True)

    def videos_are_added(self):
        """Dropped on the page and in a folder; those of kinds that the server refuses are named."""
        self._films("films")
        self._clear_added()
        visit = self._visit().open("stream=added&layout=grid&sections=none", wait="#state:not([hidden])")
        visit.until(lambda: visit.page.locator("#add").is_enabled())
        choose = self._choosing(visit)
        visit.page.locator("#add").click()
        choose([os.path.join(self.lane.films(), name) for name in ["clip.mp4", "phone.mov"]])
        visit.until(lambda: visit.photo("clip.mp4").count() == 1 and visit.photo("phone.mov").count() == 1)
        visit.sharp()
        visit.until(lambda: visit.page.evaluate(SIGNS) == {"clip.mp4": "0:12", "phone.mov": "0:02"})
        for name in ["clip.mp4", "phone.mov"]:
            self.server.ask(f"/v1/streams/added/photos/{name}", "DELETE")
        visit.close(allow_shift=True)
