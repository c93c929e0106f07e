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
const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const sizes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte", ...tenths });
const parts = new Intl.NumberFormat(locale, tenths);

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

/** The name of a photo for screen readers: its text and its day, otherwise its date or its number.
 * @param {{alt?: string, title?: string, caption?: string, takenAt?: string}} texts
 * @param {number} index */
export function photoName({ alt, title, caption, takenAt }, index) {
  const words = alt || title || caption;
  if (!words) return fullDate(takenAt) || text("Photo {number}", { number: count(index + 1) });
  return [words, fullDate(takenAt, { hasTime: false })].filter(Boolean).join(", ");
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
