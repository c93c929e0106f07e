// @ts-check
/** Pictures of placeholders, as addresses of small bitmaps. The 1,000 most recently used are kept. */

import { bitmap, decodeThumbHash, thumbHashBytes } from "./thumbhash.js";

const limit = 1_000;
/** @type {Map<string, string>} */
const addresses = new Map();

/** Returns the address of a placeholder's picture; empty if it cannot be decoded.
 * @param {string} placeholder
 * @returns {string} */
export function placeholderAddress(placeholder) {
  if (!placeholder) return "";
  const known = addresses.get(placeholder);
  if (known !== undefined) {
    addresses.delete(placeholder);
    addresses.set(placeholder, known);
    return known;
  }
  const bytes = thumbHashBytes(placeholder);
  const address = bytes ? URL.createObjectURL(bitmap(decodeThumbHash(bytes))) : "";
  addresses.set(placeholder, address);
  if (addresses.size > limit) {
    const [oldest, old] = /** @type {[string, string]} */ (addresses.entries().next().value);
    addresses.delete(oldest);
    if (old) URL.revokeObjectURL(old);
  }
  return address;
}

/** Returns a colour as in style sheets; for -1 a neutral one.
 * @param {number} color */
export function cssColor(color) {
  return color < 0 ? "var(--empty)" : `#${color.toString(16).padStart(6, "0")}`;
}
