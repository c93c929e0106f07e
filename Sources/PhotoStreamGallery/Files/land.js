// @ts-check
/** Coastlines, lakes, borders and names, which `scripts/make-land` describes: reads them, and chooses what a zoom shows. */

/** @typedef {{points: Int32Array, bounds: [number, number, number, number]}} Path Coordinates x, y, x, y …, and the least and
 *   greatest of them, in units of the world. */
/** @typedef {{name: string, x: number, y: number, least: number, most: number, isCity: boolean}} Name The zooms that show it. */

/** The number of units in the side of the world. */
export const units = 65_536;
/** The greatest number of points and of names, for damaged data. */
const most = 500_000;

/** The data is not in this form. */
export class DamagedLand extends Error {}

export class Land {
  /** Reads the form of the server's file.
   * @param {ArrayBuffer} buffer */
  constructor(buffer) {
    const reader = new Reader(new Uint8Array(buffer));
    if (reader.text(4) !== "PSL1") throw new DamagedLand("The land has another form.");
    this.land = reader.paths();
    this.lakes = reader.paths();
    this.borders = reader.paths();
    this.names = reader.names();
    if (!reader.isAtEnd) throw new DamagedLand("The land has more bytes than its parts.");
  }

  /** Returns the city that is nearest to a place; `null` if none is within a distance.
   * @param {{x: number, y: number}} place With a world of side 1.
   * @param {number} distance With a world of side 1. */
  cityNear(place, distance) {
    const [x, y] = [place.x * units, place.y * units];
    let best = null;
    let least = (distance * units) ** 2;
    for (const name of this.names) {
      if (!name.isCity) continue;
      const square = (name.x - x) ** 2 + (name.y - y) ** 2;
      if (square < least) [best, least] = [name, square];
    }
    return best?.name ?? null;
  }
}

/** Reads numbers and texts, and throws at the end of the bytes. */
class Reader {
  #bytes;
  #at = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  get isAtEnd() { return this.#at === this.#bytes.length; }

  byte() {
    if (this.#at >= this.#bytes.length) throw new DamagedLand("The land ends too early.");
    this.#at += 1;
    return this.#bytes[this.#at - 1];
  }

  number() {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new DamagedLand("The land has a number that is too large.");
  }

  difference() {
    const value = this.number();
    return value & 1 ? -(value + 1) / 2 : value / 2;
  }

  count() {
    const count = this.number();
    if (count > most) throw new DamagedLand("The land has too many parts.");
    return count;
  }

  coordinate(/** @type {number} */ before) {
    const value = before + this.difference();
    if (value < 0 || value > units) throw new DamagedLand("The land has a point outside the world.");
    return value;
  }

  text(/** @type {number} */ length) {
    if (length > this.#bytes.length - this.#at) throw new DamagedLand("The land ends too early.");
    this.#at += length;
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.#bytes.subarray(this.#at - length, this.#at));
  }

  paths() {
    /** @type {Path[]} */
    const paths = [];
    let [x, y] = [0, 0];
    for (let left = this.count(); left > 0; left -= 1) {
      const count = this.count();
      if (count * 2 > this.#bytes.length - this.#at) throw new DamagedLand("The land ends too early.");
      const points = new Int32Array(count * 2);
      /** @type {[number, number, number, number]} */
      const bounds = [units, units, 0, 0];
      for (let i = 0; i < points.length; i += 2) {
        x = this.coordinate(x);
        y = this.coordinate(y);
        points[i] = x;
        points[i + 1] = y;
        if (x < bounds[0]) bounds[0] = x;
        if (y < bounds[1]) bounds[1] = y;
        if (x > bounds[2]) bounds[2] = x;
        if (y > bounds[3]) bounds[3] = y;
      }
      paths.push({ points, bounds });
    }
    return paths;
  }

  names() {
    /** @type {Name[]} */
    const names = [];
    let [x, y] = [0, 0];
    for (let left = this.count(); left > 0; left -= 1) {
      const [least, greatest] = [this.byte(), this.byte() / 2];
      x = this.coordinate(x);
      y = this.coordinate(y);
      const name = this.text(this.number());
      names.push({ name, x, y, least, most: greatest || Infinity, isCity: greatest === 0 });
    }
    return names;
  }
}
