// @ts-check
/** The information about a photo. What others may have in common with it is a link to them. */

import { clock, count, dateWithSource, exposure, stars } from "./dates.js";
import { text } from "./texts.js";
import { codecName, isVideo } from "./videos.js";

/** @typedef {import("./photostream.js").PlacedPhoto & {id?: string, camera?: string, lens?: string, people?: string[],
 *   tags?: string[], albums?: string[], rating?: number, metrics?: string, vanished?: boolean, aperture?: number,
 *   exposureTime?: number, iso?: number, focalLength?: number, latitude?: number, longitude?: number}} Photo */
/** A value and the address to which it is a link, empty for none.
 * @typedef {{text: string, href: string, title?: string}} Value */

/** The longest value of a link, in characters: a condition has at most 1,000 bytes. */
const longestValue = 200;

/** Returns the rows about a photo.
 * @param {Photo} photo
 * @param {{width?: number, height?: number, hasNames: boolean, search: (condition: string) => string,
 *   map: (middle: string) => string}} shown The displayed size in pixels; whether names are shown; the address of the photos that
 *   meet a condition; the address of the map around a position, empty without a map.
 * @returns {[string, Value[]][]} */
export function detailsOf(photo, { width = 0, height = 0, hasNames, search, map }) {
  const { latitude, longitude, camera, lens, people = [], tags = [], albums = [] } = photo;
  const dayLength = { year: 4, month: 7, day: 10 }[photo.takenAtPrecision ?? "day"];
  const folder = folderOf(photo.location);
  const linked = (/** @type {string | undefined} */ words, /** @type {string} */ condition) =>
    words ? [{ text: words, href: condition && search(condition) }] : [];
  const plain = (/** @type {string | undefined} */ words) => linked(words, "");
  return [
    [text("Date"), linked(dateWithSource(photo), `taken:${photo.takenAt?.slice(0, dayLength)}`)],
    [text("Camera"), linked(camera, qualified("camera:", camera))],
    [text("Lens"), linked(lens, qualified("lens:", lens))],
    [text("Exposure"), plain(exposure(photo))],
    [text("Length"), plain(isVideo(photo) ? clock(photo.duration ?? 0) : "")],
    [text("Codec"), plain(codecName(photo.codec))],
    [text("Place"), latitude === undefined || longitude === undefined ? []
      : [{ text: place(latitude, longitude), href: map(`${latitude},${longitude}`), title: text("Show on the map") }]],
    [text("Rating"), linked(stars(photo.rating ?? 0), `rating:${photo.rating}`)],
    [text("Favourite"), linked(photo.favourite ? text("yes") : "", "is:favourite")],
    [text("Archived"), linked(photo.archived ? text("yes") : "", "is:archived")],
    // No qualifier is about people, but words find their names.
    [text("People"), people.flatMap((name) => linked(name, qualified("", name)))],
    [text("Tags"), tags.flatMap((tag) => linked(tag, qualified("tag:", tag)))],
    [text("Albums"), albums.flatMap((album) => linked(album, qualified("album:", album)))],
    [text("Size"), plain(photo.metrics === "measured" ? `${count(width)} × ${count(height)}` : "")],
    [text("File"), plain(photo.vanished ? text("gone") : "")],
    [text("Folder"), linked(folder, qualified("folder:", folder))],
    [text("Name"), plain(hasNames ? photo.id : "")],
  ];
}

/** Shows rows in a description list.
 * @param {HTMLElement} list
 * @param {[string, Value[]][]} rows Those without a value are left out. */
export function showDetails(list, rows) {
  list.replaceChildren(...rows.filter(([, values]) => values.length > 0).flatMap(([name, values]) => {
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    description.dir = "auto";
    description.append(...values.flatMap((value, number) => [number > 0 ? ", " : "", elementOf(value)]));
    return [term, description];
  }));
}

function elementOf(/** @type {Value} */ { text: words, href, title = "" }) {
  const element = document.createElement(href ? "a" : "bdi");
  element.textContent = words;
  if (element instanceof HTMLAnchorElement) Object.assign(element, { href, title });
  return element;
}

/** The condition of a qualifier and a value; none for a value that is too long for one. */
function qualified(/** @type {string} */ qualifier, /** @type {string} */ value = "") {
  return value.length > longestValue ? "" : `${qualifier}"${value.replaceAll('"', '""')}"`;
}

/** The folder of a file; none of an address of another server. */
function folderOf(/** @type {string | undefined} */ location = "") {
  return /^[a-z]+:/i.test(location) ? "" : location.split("/").slice(0, -1).join("/");
}

/** @param {number} latitude
 * @param {number} longitude */
function place(latitude, longitude) {
  const part = (/** @type {number} */ value, /** @type {string} */ positive, /** @type {string} */ negative) =>
    `${Math.abs(value).toFixed(4)}° ${value < 0 ? negative : positive}`;
  return `${part(latitude, text("N"), text("S"))}, ${part(longitude, text("E"), text("W"))}`;
}
