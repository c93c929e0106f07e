// @ts-check
/**
 * The anchor: the point of a photo that stays at its height in the window while the layout changes.
 *
 * It is the point under the middle of the window, or under the pointer of a wheel. It is chosen once and kept until the window is
 * scrolled: if every step of a slider chose a new one, the photos would drift.
 */

/** @typedef {import("./tiles.js").Photo} Photo */
/** @typedef {import("./photostream.js").Frame} Frame */
/**
 * @typedef {object} Anchor
 * @property {string} id The photo.
 * @property {number} index
 * @property {number} part The height of the point in the picture: 0 at its top, 1 at its bottom.
 * @property {number} beyond The distance of the point below the picture or, if it is negative, above it, in points.
 * @property {number} at The height of the point in the window, from 0 to 1.
 */
/** @typedef {{id: string, index: number, offset: number}} Place The place of a window, as in an address: `offset` is the distance
 *   from the top of the photo's frame to the top of the window. */

/** The height of the middle of the window. */
export const middle = 0.5;
/** The difference in height up to which two pointers are at the same place. */
const sameHeight = 0.02;

/** Returns the anchor at a point: a point of the photo under it or, between photos, of the nearest one.
 * @param {Photo[]} photos
 * @param {{x: number, y: number}} point In the content.
 * @param {number} at The height of the point in the window, from 0 to 1.
 * @returns {Anchor | null} `null` without a photo. */
export function anchorAt(photos, { x, y }, at) {
  const distance = (/** @type {Photo} */ photo) => Math.hypot(
    outside(x, photo.x, photo.x + photo.width), outside(y, photo.y, photo.y + pictureHeight(photo)));
  let best = null;
  let least = Infinity;
  for (const photo of photos) {
    const far = distance(photo);
    if (far > least || (far === least && best && photo.index > best.index)) continue;
    [best, least] = [photo, far];
  }
  if (!best) return null;
  const height = pictureHeight(best);
  const beyond = outside(y, best.y, best.y + height);
  return { id: best.id, index: best.index, part: (y - beyond - best.y) / Math.max(1, height), beyond, at };
}

/** Returns the height of an anchor's point in the content.
 * @param {Anchor} anchor
 * @param {{y: number, height: number, captionExtent: number}} photo */
export function pointOf({ part, beyond }, photo) {
  return photo.y + part * Math.max(1, pictureHeight(photo)) + beyond;
}

/** Returns the offset of the window at which a photo is at a place of an address. In a window in which it would be below the
 * bottom, it is in the middle.
 * @param {Place} place
 * @param {Frame} frame
 * @param {number} height The height of the window. */
export function offsetOf({ offset }, frame, height) {
  const isBelow = offset <= -height;
  return frame.y + (isBelow ? (frame.height - height) / 2 : Math.min(offset, frame.height));
}

/** Whether an anchor is at a height of the window.
 * @param {Anchor | null | undefined} anchor
 * @param {number} at */
export function isAt(anchor, at) {
  return Boolean(anchor) && Math.abs(/** @type {Anchor} */ (anchor).at - at) < sameHeight;
}

/** Returns the height of a picture without its caption. */
function pictureHeight(/** @type {{height: number, captionExtent: number}} */ { height, captionExtent }) {
  return height - captionExtent;
}

/** Returns the distance of a value from an interval, which is negative before it. */
function outside(/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) {
  return value < low ? value - low : Math.max(0, value - high);
}
