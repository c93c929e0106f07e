// The words about a photo: its exposure, whether its date is a guess, and the length and codec of a video.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window = { navigator: { languages: ["en"] } };
const { clock, dateWithSource, exposure, lengthInWords, photoName } = await import("../../Sources/PhotoStreamGallery/Files/dates.js");

test("an exposure has what is known, as cameras show it", () => {
  for (const [photo, words] of [
    [{ aperture: 1.78, exposureTime: 0.004, iso: 100, focalLength: 26 }, "f/1.78 · 1/250 s · ISO 100 · 26 mm"],
    [{ exposureTime: 0.000125, iso: 12_800 }, "1/8000 s · ISO 12800"], [{ exposureTime: 0.5 }, "0.5 s"],
    [{ exposureTime: 30 }, "30 s"], [{ focalLength: 4.25 }, "4.25 mm"], [{}, ""],
  ]) assert.equal(exposure(photo), words);
});

test("only a date from the name or the time of the file is marked as a guess", () => {
  const takenAt = "2026-11-21";
  const known = dateWithSource({ takenAt });
  assert.equal(known, "Saturday, November 21, 2026");
  for (const takenAtSource of ["person", "record", "sidecar", "embedded"]) {
    assert.equal(dateWithSource({ takenAt, takenAtSource }), known);
  }
  assert.equal(dateWithSource({ takenAt, takenAtSource: "fileTime" }), `${known} (date of the file)`);
  assert.equal(dateWithSource({ takenAt, takenAtSource: "fileName" }), `${known} (from the name of the file)`);
  assert.equal(dateWithSource({ takenAtSource: "fileTime" }), "");
});

test("the length of a video is that of its whole seconds, at least one", () => {
  for (const [duration, sign, words] of [
    [0, "0:00", "0 seconds"], [0.001, "0:01", "1 second"], [1.999, "0:01", "1 second"], [12.4, "0:12", "12 seconds"],
    [60, "1:00", "1 minute"], [75.5, "1:15", "1 minute, 15 seconds"], [3_600, "1:00:00", "1 hour"],
    [3_723, "1:02:03", "1 hour, 2 minutes, 3 seconds"], [360_000, "100:00:00", "100 hours"],
  ]) {
    assert.equal(clock(duration), sign);
    assert.equal(lengthInWords(duration), words);
  }
  assert.equal(photoName({ duration: 12 }, 4), "Video, 12 seconds, Photo 5");
  assert.equal(photoName({ duration: 0, title: "A", takenAt: "2026-11-21" }, 4), "Video, 0 seconds, A, November 21, 2026");
});

test("a video has the media type that the server sends, with its codec", async () => {
  const { codecName, isVideo, mediaType } = await import("../../Sources/PhotoStreamGallery/Files/videos.js");
  for (const [codec, location, type, name] of [
    ["avc1", "a/b.mp4", 'video/mp4; codecs="avc1.640028"', "H.264"], ["avc1", "b.MOV", 'video/mp4; codecs="avc1.640028"', "H.264"],
    ["hvc1", "b.mov", 'video/mp4; codecs="hvc1.1.6.L120.B0"', "HEVC"], ["jpeg", "b.mov", 'video/quicktime; codecs="jpeg"', "Motion JPEG"],
    ["vp09", undefined, 'video/webm; codecs="vp09.00.40.08"', "VP9"], ["av01", undefined, 'video/mp4; codecs="av01.0.08M.08"', "AV1"],
    ["avc1", "b.mkv", 'video/x-matroska; codecs="avc1.640028"', "H.264"], ["AVC1 ", "no ending", 'video/mp4; codecs="avc1.640028"', "H.264"],
    ["mp4v", "b.avi", 'video/x-msvideo; codecs="mp4v.20.9"', "MPEG-4"], ["xxxx", "b.mp4", 'video/mp4; codecs="xxxx"', "xxxx"],
    [undefined, "b.mp4", "video/mp4", ""], [undefined, undefined, "video/mp4", ""], ["constructor", "b.mp4", 'video/mp4; codecs="constructor"', "constructor"],
  ]) {
    assert.equal(mediaType({ codec, location }), type);
    assert.equal(codecName(codec), name);
  }
  assert.ok(isVideo({ duration: 0 }) && !isVideo({ codec: "avc1" }));
});
