// @ts-check
/** The settings of the page, and their spelling in the address: a link shows what its author saw. */

/**
 * @typedef {object} Settings
 * @property {string | null} stream
 * @property {"masonry" | "justified" | "flow" | "grid" | "map"} layout
 * @property {number} size The target width of a column or height of a line, in points.
 * @property {number} spacing
 * @property {"none" | "day" | "month" | "year" | null} sections `null` until the page has chosen.
 * @property {boolean} captions
 * @property {"ltr" | "rtl"} direction
 * @property {number} zoom Of the map; it may be a fraction.
 * @property {string | null} middle The latitude and longitude in the middle of the map; `null` shows all photos.
 * @property {string | null} at The photo in the middle of the window.
 * @property {number} offset The distance from the top of that photo's frame to the top of the window.
 * @property {string | null} photo The photo that is open.
 * @property {string | null} search The condition that the photos on the page meet; `null` for all photos.
 */

import { direction } from "./texts.js";

const layouts = /** @type {const} */ (["justified", "masonry", "grid", "flow", "map"]);
const sectionings = /** @type {const} */ (["none", "day", "month", "year"]);
const sizeRange = { least: 80, most: 600 };
const spacingRange = { least: 0, most: 40 };
export const zoomRange = { least: 0, most: 20 };

/** @type {Readonly<Settings>} */
export const defaults = Object.freeze({
  stream: null, layout: "justified", size: 240, spacing: 6, sections: null, captions: false, direction, zoom: 2, middle: null,
  search: null, at: null, offset: 0, photo: null,
});

/** Returns the sections for a stream that is opened for the first time: months, or none for few photos and for an order other
 * than by date.
 * @param {{count: number, order: string}} stream */
export function sectionsFor({ count, order }) {
  return count < 500 || order === "manual" ? "none" : "month";
}

/** Reads the fragment of an address. Invalid values count as the default.
 * @param {string} fragment As in `location.hash`.
 * @returns {Settings} */
export function parse(fragment) {
  const query = new URLSearchParams(fragment.replace(/^#/, ""));
  const word = (/** @type {string} */ name, /** @type {readonly string[]} */ words, /** @type {string} */ otherwise) =>
    words.includes(query.get(name) ?? "") ? /** @type {string} */ (query.get(name)) : otherwise;
  const number = (/** @type {string} */ name, /** @type {number} */ least, /** @type {number} */ most,
    /** @type {number} */ otherwise) => {
    const value = Number.parseFloat(query.get(name) ?? "");
    return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
  };
  return /** @type {Settings} */ ({
    stream: query.get("stream") || null,
    layout: word("layout", layouts, defaults.layout),
    size: Math.round(number("size", sizeRange.least, sizeRange.most, defaults.size)),
    spacing: Math.round(number("spacing", spacingRange.least, spacingRange.most, defaults.spacing)),
    sections: word("sections", sectionings, "") || null,
    captions: query.get("captions") === "yes",
    direction: word("direction", ["ltr", "rtl"], defaults.direction),
    zoom: number("zoom", zoomRange.least, zoomRange.most, defaults.zoom),
    middle: query.get("middle") || null,
    at: query.get("at") || null,
    offset: number("offset", -100_000, 100_000, 0),
    photo: query.get("photo") || null,
    search: query.get("search")?.trim() || null,
  });
}

/** Writes settings as the fragment of an address, without default values.
 * @param {Settings} settings
 * @returns {string} */
export function fragment(settings) {
  const query = new URLSearchParams();
  // In one order, so that equal settings have one address.
  for (const name of Object.keys(defaults)) {
    const value = settings[/** @type {keyof Settings} */ (name)];
    // The default direction is that of the reader's language, which another reader may not share.
    const isDefault = name === "direction" ? value === "ltr" && direction === "ltr" : value === /** @type {any} */ (defaults)[name];
    if (isDefault || value === null) continue;
    const text = typeof value === "boolean" ? "yes"
      : typeof value === "number" ? String(Math.round(value * 1_000) / 1_000) : value;
    query.set(name, text);
  }
  return `#${query}`;
}

/** Returns the photo at which an address has its window.
 * @param {Settings} settings
 * @returns {import("./gallery.js").Place | null} */
export function anchorOf({ at, offset }) {
  return at ? { id: at, index: 0, offset } : null;
}
