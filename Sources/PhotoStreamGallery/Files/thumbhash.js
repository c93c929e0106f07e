// @ts-check
/**
 * Decodes ThumbHash, the placeholder of a picture in about 25 bytes.
 *
 * The format is a discrete cosine transform with few coefficients: of luminance L, two colour differences P and Q, and opacity A.
 *
 * Source: Evan Wallace, "ThumbHash" (2023), https://evanw.github.io/thumbhash/.
 */

/** Returns the bytes of a ThumbHash in base64; `null` if the text is not one, such as a BlurHash.
 * @param {string} text
 * @returns {Uint8Array | null} */
export function thumbHashBytes(text) {
  if (text.length < 7 || text.length > 64 || !/^[A-Za-z0-9+/_-]+=*$/.test(text)) return null;
  let bytes;
  try {
    bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
  if (bytes.length < 5) return null;
  const { lx, ly, hasAlpha } = header(bytes);
  const count = coefficients(lx, ly) + 2 * coefficients(3, 3) + (hasAlpha ? coefficients(5, 5) : 0);
  const needed = (hasAlpha ? 6 : 5) + Math.ceil(count / 2);
  // Encoders may add zeros at the end.
  return bytes.length >= needed && bytes.subarray(needed).every((byte) => byte === 0) ? bytes : null;
}

/** Decodes a ThumbHash.
 * @param {Uint8Array} hash
 * @returns {{width: number, height: number, rgba: Uint8ClampedArray}} The longer side has 32 pixels. */
export function decodeThumbHash(hash) {
  const { lx, ly, hasAlpha, header24, header16, ratio } = header(hash);
  const dc = { l: (header24 & 63) / 63, p: ((header24 >> 6) & 63) / 31.5 - 1, q: ((header24 >> 12) & 63) / 31.5 - 1 };
  const scale = { l: ((header24 >> 18) & 31) / 31, p: ((header16 >> 3) & 63) / 63, q: ((header16 >> 9) & 63) / 63 };
  const alpha = hasAlpha ? { dc: (hash[5] & 15) / 15, scale: (hash[5] >> 4) / 15 } : { dc: 1, scale: 0 };

  let nibble = (hasAlpha ? 6 : 5) * 2;
  const channel = (/** @type {number} */ nx, /** @type {number} */ ny, /** @type {number} */ factor) => {
    const values = [];
    for (let y = 0; y < ny; y += 1) {
      for (let x = y ? 0 : 1; x * ny < nx * (ny - y); x += 1) {
        const value = (hash[nibble >> 1] >> ((nibble & 1) * 4)) & 15;
        values.push((value / 7.5 - 1) * factor);
        nibble += 1;
      }
    }
    return values;
  };
  const l = channel(lx, ly, scale.l);
  const p = channel(3, 3, scale.p * 1.25);
  const q = channel(3, 3, scale.q * 1.25);
  const a = hasAlpha ? channel(5, 5, alpha.scale) : [];

  const width = Math.round(ratio > 1 ? 32 : 32 * ratio);
  const height = Math.round(ratio > 1 ? 32 / ratio : 32);
  const rgba = new Uint8ClampedArray(width * height * 4);
  const columns = cosines(width, Math.max(lx, hasAlpha ? 5 : 3));
  const rows = cosines(height, Math.max(ly, hasAlpha ? 5 : 3));
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      const light = dc.l + sum(l, lx, ly, columns[x], rows[y]);
      const first = dc.p + sum(p, 3, 3, columns[x], rows[y]);
      const second = dc.q + sum(q, 3, 3, columns[x], rows[y]);
      const blue = light - (2 / 3) * first;
      const red = (3 * light - blue + second) / 2;
      const green = red - second;
      rgba[at] = Math.max(0, 255 * Math.min(1, red));
      rgba[at + 1] = Math.max(0, 255 * Math.min(1, green));
      rgba[at + 2] = Math.max(0, 255 * Math.min(1, blue));
      rgba[at + 3] = 255 * Math.min(1, hasAlpha ? alpha.dc + sum(a, 5, 5, columns[x], rows[y]) : 1);
    }
  }
  return { width, height, rgba };
}

/** @param {Uint8Array} hash */
function header(hash) {
  const header24 = hash[0] | (hash[1] << 8) | (hash[2] << 16);
  const header16 = hash[3] | (hash[4] << 8);
  const hasAlpha = header24 >> 23 === 1;
  const isLandscape = header16 >> 15 === 1;
  const longest = hasAlpha ? 5 : 7;
  const shorter = header16 & 7;
  const lx = Math.max(3, isLandscape ? longest : shorter);
  const ly = Math.max(3, isLandscape ? shorter : longest);
  // The ratio counts the coefficients before the minimum of 3.
  const ratio = isLandscape ? longest / Math.max(1, shorter) : Math.max(1, shorter) / longest;
  return { header24, header16, hasAlpha, lx, ly, ratio };
}

/** The number of coefficients of a channel: a triangle without its first corner.
 * @param {number} nx
 * @param {number} ny */
function coefficients(nx, ny) {
  let count = 0;
  for (let y = 0; y < ny; y += 1) for (let x = y ? 0 : 1; x * ny < nx * (ny - y); x += 1) count += 1;
  return count;
}

/** @param {number} length
 * @param {number} count */
function cosines(length, count) {
  return Array.from({ length }, (_, at) =>
    Array.from({ length: count }, (_, n) => Math.cos((Math.PI / length) * (at + 0.5) * n)));
}

/** @param {number[]} values
 * @param {number} nx
 * @param {number} ny
 * @param {number[]} column
 * @param {number[]} row */
function sum(values, nx, ny, column, row) {
  let total = 0;
  for (let y = 0, at = 0; y < ny; y += 1) {
    const factor = row[y] * 2;
    for (let x = y ? 0 : 1; x * ny < nx * (ny - y); x += 1, at += 1) total += values[at] * column[x] * factor;
  }
  return total;
}

/** Returns a picture as an uncompressed file that every browser reads: a bitmap of 24 bits.
 * @param {{width: number, height: number, rgba: Uint8ClampedArray}} picture
 * @returns {Blob} */
export function bitmap({ width, height, rgba }) {
  const stride = Math.ceil((width * 3) / 4) * 4;
  const file = new Uint8Array(54 + stride * height);
  const view = new DataView(file.buffer);
  view.setUint16(0, 0x4d42, true);
  view.setUint32(2, file.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  // A negative height: the first row is the top one.
  view.setInt32(22, -height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0, to = 54 + y * stride; x < width; x += 1, from += 4, to += 3) {
      file[to] = rgba[from + 2];
      file[to + 1] = rgba[from + 1];
      file[to + 2] = rgba[from];
    }
  }
  return new Blob([file], { type: "image/bmp" });
}
