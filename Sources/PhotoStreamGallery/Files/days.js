// @ts-check
/** Finds the first photo of a day. */

/** @typedef {import("./tiles.js").Source} Source */
/** @typedef {import("./photostream.js").PhotoStreamClient} PhotoStreamClient */
/** @typedef {{index: number, end: "first" | "last" | null}} Found `end` is the end of the stream beyond which the day is. */

/** Returns the position of the first photo of a day, or of the next day in the order of the stream.
 * @param {PhotoStreamClient} client
 * @param {Source} source
 * @param {string} day
 * @returns {Promise<Found | null>} `null` without a photo. */
export async function firstOfDay(client, source, day) {
  const { stream, search } = source;
  const { order } = await client.stream(stream);
  const isBefore = (/** @type {string} */ date) =>
    order === "oldest" ? date < day : date.slice(0, 10) > day.slice(0, date.length);
  const isSame = (/** @type {string} */ date) => date.slice(0, 10) === day.slice(0, Math.min(date.length, 10));
  return search === null ? firstInSections(client, stream, isBefore, isSame) : firstMatch(source, isBefore, isSame);
}

/** @typedef {(date: string) => boolean} Test */

/** A search of the matches, which are in memory.
 * @returns {Promise<Found | null>} */
async function firstMatch(/** @type {Source} */ source, /** @type {Test} */ isBefore, /** @type {Test} */ isSame) {
  const { items } = await source.reader.items(source.stream, source.options, { from: 0, count: 1_000 });
  const at = items.findIndex(({ takenAt }) => !takenAt || !isBefore(takenAt));
  if (items.length === 0) return null;
  if (at < 0) return { index: items.length - 1, end: "last" };
  const isFirst = at === 0 && items[0].takenAt !== undefined && !isSame(items[0].takenAt);
  return { index: items[at].index ?? at, end: isFirst ? "first" : null };
}

/** A binary search of the sections by day, one request each. A grid is the cheapest layout for the server.
 * @returns {Promise<Found | null>} */
async function firstInSections(/** @type {PhotoStreamClient} */ client, /** @type {string} */ stream,
  /** @type {Test} */ isBefore, /** @type {Test} */ isSame) {
  const layout = { width: 1_000, algorithm: "grid", sectionBy: "day" };
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
