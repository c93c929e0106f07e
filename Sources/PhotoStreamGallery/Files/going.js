// @ts-check
/** Goes to a day or to a photo by its number, and says so in a note if that is beyond the ends of the stream. */

import { count, fullDate } from "./dates.js";
import { clamp } from "./geometry.js";
import { text } from "./texts.js";

/** @typedef {import("./tiles.js").Source} Source */
/** @typedef {import("./photostream.js").PhotoStreamClient} PhotoStreamClient */
/** @typedef {{index: number, end: "first" | "last" | null}} Found `end` is the end of the stream beyond which the day is. */

/** Scrolls to the first photo of a day, or of the next day in the order of the stream.
 * @param {import("./gallery.js").Gallery} gallery
 * @param {string} day
 * @param {import("./toast.js").Toast} toast */
export async function goToDay(gallery, day, toast) {
  const { source } = gallery;
  const found = source && await firstOfDay(gallery.client, source, day);
  if (!found) return;
  const photo = await gallery.reveal({ index: found.index }, { atTop: true });
  if (!found.end) return;
  const date = fullDate((await gallery.items([photo?.id ?? ""], ["takenAt"]))[0]?.takenAt, { hasTime: false });
  const values = { day: fullDate(day), date };
  toast.show(
    !date ? text("No photos from {day}. The photos that follow have no date.", values)
      : found.end === "first" ? text("No photos from {day}. The first photo with a date is from {date}.", values)
        : text("No photos from {day}. The last photo with a date is from {date}.", values));
}

/** Scrolls to the photo with a number, counted from 1, or to the nearest one.
 * @param {import("./gallery.js").Gallery} gallery
 * @param {number} number
 * @param {import("./toast.js").Toast} toast */
export async function goToNumber(gallery, number, toast) {
  await gallery.reveal({ index: clamp(number - 1, 0, gallery.count - 1) }, { atTop: true });
  if (number >= 1 && number <= gallery.count) return;
  const values = { number: count(number), total: count(gallery.count) };
  toast.show(text("There is no photo {number}: the photos have the numbers 1 to {total}.", values));
}

/** Returns the position of the first photo of a day, or of the next day in the order of the stream.
 * @param {PhotoStreamClient} client
 * @param {Source} source
 * @param {string} day
 * @returns {Promise<Found | null>} `null` without a photo. */
async function firstOfDay(client, source, day) {
  const { stream, options: { where } } = source;
  const { order } = await client.stream(stream);
  const isBefore = (/** @type {string} */ date) =>
    order === "oldest" ? date < day : date.slice(0, 10) > day.slice(0, date.length);
  const isSame = (/** @type {string} */ date) => date.slice(0, 10) === day.slice(0, Math.min(date.length, 10));
  // A binary search of the sections by day, one request each. A grid is the cheapest layout for the server.
  const layout = { width: 1_000, where, algorithm: "grid", sectionBy: "day" };
  const section = (/** @type {number} */ number) => client.layout(stream, layout, { fromSection: number, limit: 1 });
  const { sectionCount: total } = await section(0);
  if (total === 0) return null;
  const isDated = (/** @type {string} */ id) => id !== "undated" && id !== "all";
  let [low, high] = [0, total];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { sections: [{ id }] } = await section(middle);
    if (isDated(id) && isBefore(id)) low = middle + 1;
    else high = middle;
  }
  const { sections: [found] } = await section(Math.min(low, total - 1));
  const isAfterLast = low === total || !isDated(found.id);
  const isBeforeFirst = low === 0 && isDated(found.id) && !isSame(found.id);
  return { index: found.firstIndex, end: isAfterLast ? "last" : isBeforeFirst ? "first" : null };
}
