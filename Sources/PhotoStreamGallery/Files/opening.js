// @ts-check
/**
 * The first requests of the page: the stream, its sections and the start of its layout.
 *
 * This module imports few others, so that its requests are sent while the modules of the first screen are still loading.
 */

import { layoutOptions } from "./geometry.js";
import { PhotoStreamClient } from "./photostream.js";
import { parse, sectionsFor } from "./settings.js";

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./photostream.js").LayoutOptions} LayoutOptions */
/** @typedef {{stream: string | null, sections: Settings["sections"],
 *   streams: import("./photostream.js").Stream[] | null}} Chosen `streams` are all of them, if they were requested. */
/** @typedef {{question: string, answer: Awaited<ReturnType<typeof begin>>}} Early */

/** The client of the whole page. The page of a share is beneath its link, and so are all of its requests. */
export const client = new PhotoStreamClient(window.location.pathname);

/** The usual size of texts, in points. */
const textSize = 14;

/** The fields of a photo that the page shows. */
export const firstFields = [
  "index", "photo", "frame", "captionExtent", "zIndex", "hidden", "pictureKey", "placeholder", "color", "caption", "alt",
  "title", "takenAt", "location", "duration", "codec", "stackCount", "pixelWidth", "pixelHeight",
];

/** Chooses what an address leaves open: the stream that was opened last, or else the first one with photos, and sections that
 * suit it. Without any stream, it chooses nothing.
 * @param {Settings} settings
 * @returns {Promise<Chosen>} */
export async function choose(settings) {
  const { stream, sections } = settings;
  if (stream) return { stream, sections: sections ?? sectionsFor(await client.stream(stream)), streams: null };
  const { streams } = await client.streams();
  const remembered = window.localStorage.getItem("stream");
  const first = streams.find(({ stream }) => stream === remembered) ?? streams.find(({ count }) => count > 0) ?? streams[0];
  return { stream: first?.stream ?? null, sections: sections ?? (first ? sectionsFor(first) : null), streams };
}

/** Requests the start of a layout; for a map, only its extent.
 * @param {string} stream
 * @param {LayoutOptions} options
 * @param {AbortSignal} [signal] */
export function begin(stream, options, signal) {
  return options.algorithm === "map" ? client.layout(stream, options, { limit: 2, signal })
    : client.firstPaint(stream, options, { first: 60, limit: 60, fields: firstFields, signal });
}

/** Returns the size of texts that the person has set in the browser, relative to the usual one. */
export function textScale() {
  return Math.max(1, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / textSize);
}

/** Returns the text that identifies a layout.
 * @param {string} stream
 * @param {LayoutOptions} options */
export function question(stream, options) {
  return JSON.stringify([stream, options]);
}

/** The settings of the address, and the requests about them, which are sent as soon as this module is loaded. */
export const start = (() => {
  const settings = parse(window.location.hash);
  const chosen = choose(settings);
  return { settings, chosen, early: askEarly(settings, chosen).catch(() => null) };
})();

/** Requests the start of the layout of an address. If the address leaves the sections open, they are assumed to be those of a
 * long stream while the stream is requested.
 * @param {Settings} settings
 * @param {Promise<Chosen>} choosing
 * @returns {Promise<Early | null>} */
async function askEarly(settings, choosing) {
  const { stream, sections } = settings;
  const assumed = new AbortController();
  const early = stream !== null && sections === null
    ? beginEarly({ ...settings, sections: "month" }, assumed.signal) : null;
  early?.catch(() => {});
  const chosen = await choosing;
  if (early && chosen.sections === "month") return early;
  assumed.abort();
  return beginEarly({ ...settings, stream: chosen.stream, sections: chosen.sections });
}

/** Requests the start of a layout as soon as the page can be measured.
 * @param {Settings} settings
 * @param {AbortSignal} [signal]
 * @returns {Promise<Early | null>} */
async function beginEarly(settings, signal) {
  await isMeasurable();
  const scroller = document.getElementById("scroller");
  const { stream } = settings;
  if (!stream || !scroller) {
    loadRest();
    return null;
  }
  const options = layoutOptions(
    settings,
    { width: scroller.clientWidth, height: scroller.clientHeight, scale: window.devicePixelRatio, text: textScale() });
  const answer = begin(stream, options, signal);
  loadRest();
  return { question: question(stream, options), answer: await answer };
}

/** Requests the modules of the rest of the page, which the page lists. They are requested after the layout, because a browser sends
 * requests in order: earlier, they would delay the first photos, and with a low priority, they would wait for everything else. */
function loadRest() {
  const list = document.getElementById("rest");
  if (list instanceof HTMLTemplateElement) list.replaceWith(list.content);
}

/** Resolves when the document and its style sheet are loaded; this module may run earlier. */
async function isMeasurable() {
  if (document.readyState === "loading") {
    await new Promise((resolve) => document.addEventListener("readystatechange", resolve, { once: true }));
  }
  /** @type {HTMLLinkElement | null} */
  const style = document.querySelector("link[rel=stylesheet]");
  if (!style || style.sheet) return;
  await new Promise((resolve) => {
    for (const end of ["load", "error"]) style.addEventListener(end, resolve, { once: true });
  });
}
