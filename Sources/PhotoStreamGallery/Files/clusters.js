// @ts-check
/**
 * The photos of a map, which the server groups by the cells of a grid: loads them in squares around the window, and remembers them.
 *
 * The clusters of a whole zoom stay on the screen until all of those of the next one are loaded.
 */

import { mapOptions } from "./geometry.js";
import { OtherRevision, photoOf } from "./tiles.js";
import { worldSide } from "./mercator.js";

/** @typedef {import("./mercator.js").Bounds} Bounds */
/** @typedef {import("./tiles.js").Photo & {count: number, bounds: Bounds}} Cluster With the frame of its face, in points of the
 *   world at `zoom`. */
/** @typedef {{stream: string, search: string | null, cluster: number, state: string}} Question */

/** The number of cells in the side of a square. */
const cellsInSquare = 8;
/** The number of squares that are kept. */
const squareLimit = 240;
/** The number of requests at once, which leaves two of a browser's six connections for pictures. */
const requestLimit = 4;
const fields = [
  "index", "photo", "frame", "cluster", "pictureKey", "color", "placeholder", "pixelWidth", "pixelHeight", "caption", "alt", "title",
  "takenAt", "location", "duration", "codec",
];

export class Clusters {
  /** @type {Map<string, Cluster[]>} */
  #squares = new Map();
  /** @type {Map<string, AbortController>} */
  #requests = new Map();
  /** @type {string[]} */
  #wanted = [];
  #timer = 0;
  #failures = 0;
  #isClosed = false;

  /** @param {import("./photostream.js").PhotoStreamClient} client
   * @param {Question} question
   * @param {{onLoad: () => void, onFailure: (error: unknown) => void, onOtherRevision: () => void}} handlers */
  constructor(client, question, handlers) {
    this.client = client;
    this.question = question;
    this.handlers = handlers;
  }

  /** Cancels all requests. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const abort of this.#requests.values()) abort.abort();
    this.#requests.clear();
  }

  get #side() { return this.question.cluster * cellsInSquare; }

  /** Requests the squares of a window, and then those around it; cancels others.
   * @param {number} zoom A whole zoom.
   * @param {import("./photostream.js").Frame} window In points of the world at that zoom.
   * @param {boolean} isResting Whether the squares around the window are requested as well. */
  want(zoom, window, isResting) {
    const seen = this.#names(zoom, window);
    const side = this.#side / 2;
    const around = isResting ? this.#names(zoom, {
      x: window.x - side, y: window.y - side, width: window.width + 2 * side, height: window.height + 2 * side }) : [];
    this.#wanted = [...new Set([...seen, ...around])].filter((name) => !this.#squares.has(name));
    for (const [name, abort] of this.#requests) {
      if (this.#wanted.includes(name)) continue;
      abort.abort();
      this.#requests.delete(name);
    }
    this.#askForMore();
  }

  /** Whether all squares of a window are loaded.
   * @param {number} zoom
   * @param {import("./photostream.js").Frame} window */
  isLoaded(zoom, window) {
    return this.#names(zoom, window).every((name) => this.#squares.has(name));
  }

  /** Returns the known clusters whose frames meet a window. A part that is not loaded yet has those of the nearest smaller zoom
   * that is.
   * @param {number} zoom
   * @param {import("./photostream.js").Frame} window
   * @returns {{cluster: Cluster, zoom: number}[]} */
  clusters(zoom, window) {
    /** @type {Map<string, {cluster: Cluster, zoom: number}>} */
    const found = new Map();
    const [right, bottom] = [window.x + window.width, window.y + window.height];
    for (const name of this.#names(zoom, window)) {
      const square = this.#squares.get(name);
      for (const cluster of square ?? []) {
        if (cluster.x >= right || cluster.y >= bottom || cluster.x + cluster.width <= window.x
          || cluster.y + cluster.height <= window.y) continue;
        found.set(cluster.id, { cluster, zoom });
      }
      if (!square) for (const other of this.#coarser(zoom, name)) if (!found.has(other.cluster.id)) found.set(other.cluster.id, other);
    }
    return [...found.values()];
  }

  /** Returns clusters of smaller zooms with their middle in a square that is not loaded. */
  #coarser(/** @type {number} */ zoom, /** @type {string} */ name) {
    const [, column, row] = name.split(" ").map(Number);
    const side = this.#side;
    for (let lower = zoom - 1; lower >= Math.max(0, zoom - 3); lower -= 1) {
      const scale = 2 ** (lower - zoom);
      const part = { x: column * side * scale, y: row * side * scale, width: side * scale, height: side * scale };
      const names = this.#names(lower, part);
      if (!names.every((other) => this.#squares.has(other))) continue;
      return names.flatMap((other) => this.#squares.get(other) ?? []).filter((cluster) => {
        const [x, y] = [cluster.x + cluster.width / 2 - part.x, cluster.y + cluster.height / 2 - part.y];
        return x >= 0 && y >= 0 && x < part.width && y < part.height;
      }).map((cluster) => ({ cluster, zoom: lower }));
    }
    return [];
  }

  /** The names of the squares that meet a window. */
  #names(/** @type {number} */ zoom, /** @type {import("./photostream.js").Frame} */ { x, y, width, height }) {
    const side = this.#side;
    const last = Math.ceil(worldSide(zoom) / side) - 1;
    const names = [];
    for (let row = Math.max(0, Math.floor(y / side)); row <= Math.min(last, Math.ceil((y + height) / side) - 1); row += 1) {
      const end = Math.min(last, Math.ceil((x + width) / side) - 1);
      for (let column = Math.max(0, Math.floor(x / side)); column <= end; column += 1) names.push(`${zoom} ${column} ${row}`);
    }
    return names;
  }

  #askForMore() {
    if (this.#isClosed || this.#timer) return;
    for (const name of this.#wanted) {
      if (this.#requests.size >= requestLimit) return;
      if (!this.#squares.has(name) && !this.#requests.has(name)) void this.#ask(name);
    }
  }

  async #ask(/** @type {string} */ name) {
    const abort = new AbortController();
    this.#requests.set(name, abort);
    try {
      const square = await this.#answer(name, abort.signal);
      if (abort.signal.aborted) return;
      this.#failures = 0;
      this.#squares.set(name, square);
      while (this.#squares.size > squareLimit) this.#squares.delete(/** @type {string} */ (this.#squares.keys().next().value));
      this.#requests.delete(name);
      this.handlers.onLoad();
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#requests.delete(name);
      if (error instanceof OtherRevision) return this.handlers.onOtherRevision();
      this.handlers.onFailure(error);
      this.#failures += 1;
      this.#timer = window.setTimeout(() => {
        this.#timer = 0;
        this.#askForMore();
      }, Math.min(10_000, 250 * 2 ** this.#failures));
    }
    this.#askForMore();
  }

  /** @returns {Promise<Cluster[]>} */
  async #answer(/** @type {string} */ name, /** @type {AbortSignal} */ signal) {
    const [zoom, column, row] = name.split(" ").map(Number);
    const { stream, state, cluster, search } = this.question;
    const side = this.#side;
    const rect = { x: column * side, y: row * side, width: side, height: side };
    const options = mapOptions(cluster, zoom, search);
    const answer = await this.client.rectWithFields(stream, options, rect, { limit: 1_000, fields, signal });
    if (answer.state !== state) throw new OtherRevision();
    return answer.items.map((item) => ({
      ...photoOf(item), count: item.cluster?.count ?? 1, bounds: item.cluster?.bounds ?? { west: 0, south: 0, east: 0, north: 0 },
    }));
  }
}
