// @ts-check
/** Dates and numbers in words, in the language of the browser. A capture time is the time that the camera's clock showed. */

/** @param {Intl.DateTimeFormatOptions} options */
const format = (options) => new Intl.DateTimeFormat(undefined, { ...options, timeZone: "UTC" });
/** Moments are shown in the time zone of the browser. */
const moments = new Intl.DateTimeFormat(undefined, {
  year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit" });
const formats = {
  year: format({ year: "numeric" }),
  month: format({ year: "numeric", month: "long" }),
  shortMonth: format({ year: "numeric", month: "short" }),
  day: format({ year: "numeric", month: "long", day: "numeric" }),
  weekday: format({ weekday: "long", year: "numeric", month: "long", day: "numeric" }),
  time: format({ hour: "2-digit", minute: "2-digit" }),
};
const numbers = new Intl.NumberFormat();
const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const sizes = new Intl.NumberFormat(undefined, { style: "unit", unit: "megabyte", ...tenths });
const parts = new Intl.NumberFormat(undefined, tenths);

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
 * @returns {string} */
export function sectionTitle(id) {
  switch (id) {
    case "undated": return "No date";
    case "all": return "All photos";
    default: {
      const known = read(id);
      if (!known) return id;
      const form = known.hasDay ? formats.weekday : known.hasMonth ? formats.month : formats.year;
      return form.format(known.date);
    }
  }
}

/** A capture time in full: "21 November 2026, 08:38".
 * @param {string | undefined} takenAt */
export function fullDate(takenAt) {
  const known = read(takenAt);
  if (!known) return "";
  const day = (known.hasDay ? formats.day : known.hasMonth ? formats.month : formats.year).format(known.date);
  return known.hasTime ? `${day}, ${formats.time.format(known.date)}` : day;
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
  if (!known) return "No date";
  return (known.hasMonth ? formats.shortMonth : formats.year).format(known.date);
}

/** @param {string | null} day */
export function yearOf(day) {
  const known = read(day);
  return known ? formats.year.format(known.date) : "";
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
  return `${parts.format(part / 1e6)} of ${sizes.format(whole / 1e6)}`;
}

/** "1 photo", "1,000 photos".
 * @param {number} value
 * @param {string} adjective Such as "new ". */
export function photos(value, adjective = "") {
  return `${count(value)} ${adjective}${value === 1 ? "photo" : "photos"}`;
}
