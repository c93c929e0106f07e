// @ts-check
/**
 * What the page opens with: the stream, its sections and the first photos.
 *
 * This module needs few others, so that its questions are on their way while the modules of the first screen are still
 * loading.
 */

import { layoutOptions } from "./geometry.js";
import { PhotoStreamClient } from "./photostream.js";
import { parse, sectionsFor } from "./settings.js";

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./photostream.js").LayoutOptions} LayoutOptions */
/** @typedef {import("./search.js").Reader} Reader */
/** @typedef {{stream: string | null, sections: Settings["sections"],
 *   streams: import("./photostream.js").Stream[] | null}} Chosen `streams` are all of them, if they were asked for. */

/** The client of the whole page. The page of a share lies beneath its link, and so does everything that it asks for. */
export const client = new PhotoStreamClient(window.location.pathname);

/** What the page shows of photos. */
export const firstFields = [
  "index", "photo", "frame", "captionExtent", "zIndex", "hidden", "pictureKey", "placeholder", "color", "caption", "alt",
  "title", "takenAt", "location",
];

/**
 * Chooses what an address leaves open: the stream that was looked at last, or the first one with photos, and sections that
 * suit it; without any stream, nothing.
 *
 * @param {Settings} settings
 * @returns {Promise<Chosen>}
 */
export async function choose(settings) {
  const { stream, sections } = settings;
  if (stream) return { stream, sections: sections ?? sectionsFor(await client.stream(stream)), streams: null };
  const { streams } = await client.streams();
  const remembered = window.localStorage.getItem("stream");
  const first = streams.find(({ stream }) => stream === remembered) ?? streams.find(({ count }) => count > 0) ?? streams[0];
  return { stream: first?.stream ?? null, sections: sections ?? (first ? sectionsFor(first) : null), streams };
}

/**
 * Asks for the beginning of a layout; of a map, for its extent only.
 *
 * @param {Reader} reader
 * @param {string} stream
 * @param {LayoutOptions} options
 * @param {AbortSignal} [signal]
 */
function begin(reader, stream, options, signal) {
  return options.algorithm === "map" ? reader.layout(stream, options, { limit: 2, signal })
    : reader.firstPaint(stream, options, { first: 60, limit: 60, fields: firstFields, signal });
}

/** What is asked as soon as this module is there: about the settings of the address. */
export const start = (() => {
  const settings = parse(window.location.hash);
  return { settings, chosen: choose(settings) };
})();

/** @typedef {{question: string, answer: Awaited<ReturnType<typeof begin>>}} Early */

/** Resolves when the page can be measured: this module runs as soon as it is there, which may be earlier. */
const isMeasurable = (async () => {
  if (document.readyState === "loading") {
    await new Promise((resolve) => document.addEventListener("readystatechange", resolve, { once: true }));
  }
  /** @type {HTMLLinkElement | null} */
  const style = document.querySelector("link[rel=stylesheet]");
  if (!style || style.sheet) return;
  await new Promise((resolve) => {
    for (const end of ["load", "error"]) style.addEventListener(end, resolve, { once: true });
  });
})();

/** Asks for the beginning of a layout before the gallery does.
 * @param {string | null} stream
 * @param {Settings["sections"]} sections
 * @param {AbortSignal} [signal]
 * @returns {Promise<Early | null>} */
async function beginEarly(stream, sections, signal) {
  await isMeasurable;
  const scroller = document.getElementById("scroller");
  if (!stream || !scroller) return null;
  const options = layoutOptions({ ...start.settings, sections }, {
    width: scroller.clientWidth, height: scroller.clientHeight, scale: window.devicePixelRatio });
  return { question: JSON.stringify([stream, options]), answer: await begin(client, stream, options, signal) };
}

/** Asks as the address says. Where it leaves the sections open, a long stream is assumed while the stream is asked for.
 * @returns {Promise<Early | null>} */
async function askEarly() {
  const { stream, sections } = start.settings;
  const assumed = new AbortController();
  const isAssumed = stream !== null && sections === null;
  const early = isAssumed ? beginEarly(stream, "month", assumed.signal) : null;
  early?.catch(() => {});
  const chosen = await start.chosen;
  if (early && chosen.sections === "month") return early;
  assumed.abort();
  return beginEarly(chosen.stream, chosen.sections);
}

/** @type {Promise<Early | null> | null} */
let early = start.settings.search !== null ? null : askEarly().catch(() => null);

/**
 * Returns the beginning of a layout, which may have been asked for already; what failed is asked for again.
 *
 * @param {Reader} reader
 * @param {string} stream
 * @param {LayoutOptions} options
 * @param {AbortSignal} signal
 */
export async function beginning(reader, stream, options, signal) {
  const taken = early;
  early = null;
  const found = reader === client ? await taken : null;
  if (found?.question === JSON.stringify([stream, options])) return found.answer;
  return begin(reader, stream, options, signal);
}
