// @ts-check
/** Dates and numbers in words, in the language of the browser. A capture time is the time that the camera's clock showed. */

import { locale, plural, text } from "./texts.js";

/** @param {Intl.DateTimeFormatOptions} options */
const format = (options) => new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
/** Moments are shown in the time zone of the browser. */
const moments = new Intl.DateTimeFormat(locale, {
  year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit" });
const formats = {
  year: format({ year: "numeric" }),
  month: format({ year: "numeric", month: "long" }),
  shortMonth: format({ year: "numeric", month: "short" }),
  day: format({ year: "numeric", month: "long", day: "numeric" }),
  weekday: format({ weekday: "long", year: "numeric", month: "long", day: "numeric" }),
  shortWeekday: format({ weekday: "short", year: "numeric", month: "short", day: "numeric" }),
  time: format({ hour: "numeric", minute: "2-digit" }),
};
const numbers = new Intl.NumberFormat(locale);
const plain = new Intl.NumberFormat(locale, { useGrouping: false });
const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const sizes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte", ...tenths });
const parts = new Intl.NumberFormat(locale, tenths);
const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
const units = ["hour", "minute", "second"].map((unit) =>
  new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }));
const listOfUnits = new Intl.ListFormat(locale, { type: "unit" });

/** Reads `1866`, `1866-03`, `1866-03-14` or a time; `null` for anything else.
 * @param {string | null | undefined} text */
function read(text) {
  const parts = /^(-?\d{4,6})(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d):(\d\d))?/.exec(text ?? "");
  if (!parts) return null;
  const [, year, month, day, hour, minute] = parts;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  date.setUTCHours(Number(hour ?? 0), Number(minute ?? 0));
  return { date, hasMonth: Boolean(month), hasDay: Boolean(day), hasTime: Boolean(hour) };
}

/** The title of a section.
 * @param {string} id A day, month or year, or a name.
 * @param {{isShort?: boolean}} how
 * @returns {string} */
export function sectionTitle(id, { isShort = false } = {}) {
  switch (id) {
    case "undated": return text("No date");
    case "all": return text("All photos");
    default: {
      const known = read(id);
      if (!known) return id;
      const dayForm = isShort ? formats.shortWeekday : formats.weekday;
      const form = known.hasDay ? dayForm : known.hasMonth ? formats.month : formats.year;
      return form.format(known.date);
    }
  }
}

/** A capture time in full: "21 November 2026, 08:38".
 * @param {string | undefined} takenAt
 * @param {{hasWeekday?: boolean, hasTime?: boolean}} how */
export function fullDate(takenAt, { hasWeekday = false, hasTime = true } = {}) {
  const known = read(takenAt);
  if (!known) return "";
  const dayForm = hasWeekday ? formats.weekday : formats.day;
  const day = (known.hasDay ? dayForm : known.hasMonth ? formats.month : formats.year).format(known.date);
  return known.hasTime && hasTime ? `${day}, ${formats.time.format(known.date)}` : day;
}

/** A capture time in full with its weekday, and a note if it is a guess.
 * @param {{takenAt?: string, takenAtSource?: string}} photo
 * @returns {string} */
export function dateWithSource({ takenAt, takenAtSource }) {
  const date = fullDate(takenAt, { hasWeekday: true });
  const note = takenAtSource === "fileTime" ? text("date of the file")
    : takenAtSource === "fileName" ? text("from the name of the file") : "";
  return date && note ? `${date} (${note})` : date;
}

/** How a photo was exposed: "f/1.8 · 1/250 s · ISO 100 · 26 mm"; without what is not known.
 * @param {{aperture?: number, exposureTime?: number, iso?: number, focalLength?: number}} photo
 * @returns {string} */
export function exposure({ aperture, exposureTime, iso, focalLength }) {
  return [
    aperture && `f/${decimals.format(aperture)}`,
    exposureTime && text("{seconds} s", { seconds: shutter(exposureTime) }),
    iso && `ISO ${plain.format(iso)}`,
    focalLength && text("{length} mm", { length: decimals.format(focalLength) }),
  ].filter(Boolean).join(" · ");
}

/** A time as cameras show it: a fraction of a second below 0.3 seconds. */
function shutter(/** @type {number} */ seconds) {
  return seconds < 0.3 ? `1/${plain.format(Math.round(1 / seconds))}` : decimals.format(seconds);
}

/** The hours, minutes and seconds of a time, which is at least one second unless it is none. */
function split(/** @type {number} */ seconds) {
  const whole = Math.max(Math.floor(seconds), Math.ceil(Math.min(seconds, 1)));
  return [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
}

/** The length of a video as players show it: "0:12", "1:02:03".
 * @param {number} duration In seconds. */
export function clock(duration) {
  const [hours, minutes, seconds] = split(duration);
  const [first, ...others] = hours > 0 ? [hours, minutes, seconds] : [minutes, seconds];
  return [plain.format(first), ...others.map((number) => twoDigits.format(number))].join(":");
}

/** The length of a video in words: "1 hour, 2 minutes, 3 seconds".
 * @param {number} duration In seconds. */
export function lengthInWords(duration) {
  const words = split(duration).map((number, at) => number > 0 ? units[at].format(number) : "").filter(Boolean);
  return listOfUnits.format(words.length ? words : [units[2].format(0)]);
}

/** The name of a photo for screen readers: its text and its day, otherwise its date or its number. A video begins with its length,
 * and the cover of a stack ends with the number of its photos.
 * @param {{alt?: string, title?: string, caption?: string, takenAt?: string, duration?: number, stackCount?: number}} texts
 * @param {number} index */
export function photoName({ alt, title, caption, takenAt, duration, stackCount = 1 }, index) {
  const words = alt || title || caption;
  const own = words ? [words, fullDate(takenAt, { hasTime: false })].filter(Boolean).join(", ")
    : fullDate(takenAt) || text("Photo {number}", { number: count(index + 1) });
  const name = stackCount === 1 ? own : text("{name}, {stack}", {
    name: own, stack: plural(stackCount, "{count} photo in a stack", "{count} photos in a stack", { count: count(stackCount) }),
  });
  return duration === undefined ? name : text("Video, {length}, {name}", { length: lengthInWords(duration), name });
}

/** A moment in full: "25 November 2026 at 16:40".
 * @param {string} time */
export function moment(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : moments.format(date);
}

/** A short date for the scrubber.
 * @param {string | null} day */
export function monthOf(day) {
  const known = read(day);
  if (!known) return text("No date");
  return (known.hasMonth ? formats.shortMonth : formats.year).format(known.date);
}

/** The year of a day, for the scrubber.
 * @param {string | null} day */
export function yearOf(day) {
  const known = read(day);
  return known ? formats.year.format(known.date) : text("No date");
}

/** A number with separators.
 * @param {number} value */
export function count(value) {
  return numbers.format(value);
}

/** "4.2 of 31.0 MB".
 * @param {number} part In bytes.
 * @param {number} whole */
export function megabytes(part, whole) {
  return text("{part} of {whole}", { part: parts.format(part / 1e6), whole: sizes.format(whole / 1e6) });
}

/** "1 photo", "1,000 photos".
 * @param {number} value */
export function photos(value) {
  return plural(value, "{count} photo", "{count} photos", { count: count(value) });
}

/** "3 selected".
 * @param {number} number */
export function selected(number) {
  return text("{count} selected", { count: count(number) });
}

/** A rating in stars.
 * @param {number} rating */
export function stars(rating) {
  return rating < 0 ? text("Rejected") : rating === 0 ? "" : "★".repeat(rating) + "☆".repeat(5 - rating);
}
