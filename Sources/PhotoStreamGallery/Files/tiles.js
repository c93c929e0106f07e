// @ts-check
/**
 * The photos of a layout, loaded tile by tile. A tile is a band of the content.
 *
 * Tiles are requested around the window: first those in it, then those nearest to it. Requests for tiles that are no longer
 * needed are cancelled.
 */

import { Problem } from "./photostream.js";

/** @typedef {import("./photostream.js").PhotoStreamClient} PhotoStreamClient */
/** @typedef {import("./photostream.js").Frame} Frame */
/** @typedef {{caption?: string, alt?: string, title?: string, takenAt?: string, location?: string,
 *   duration?: number, codec?: string, stackCount?: number}} Texts */
/**
 * @typedef {object} Photo
 * @property {string} id
 * @property {number} index
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} captionExtent
 * @property {number} z
 * @property {number} pixelWidth The size of the picture; 0 if it is unknown.
 * @property {number} pixelHeight
 * @property {string | null} key
 * @property {number} color
 * @property {string} placeholder
 * @property {Texts | null} texts
 */
/** @typedef {{kind: string, section: number, x: number, y: number, width: number, height: number}} Element */
/** @typedef {{column: number, row: number, photos: Photo[], elements: Element[], hasTexts: boolean,
 *   isStale: boolean}} Tile */
/** @typedef {{stream: string, options: import("./photostream.js").LayoutOptions, revision: number, state: string,
 *   isMap: boolean, hasCaptions: boolean, width: number}} Source A layout. With `hasCaptions`, tiles are requested together with
 *   their texts. */

/** The height of a tile. */
const side = 1_024;
/** The number of requests at once, which leaves two of a browser's six connections for pictures. */
const requestLimit = 4;
/** The number of tiles that are kept: over a hundred screens, in less than a megabyte. */
const tileLimit = 120;
const textFields = ["index", "photo", "caption", "alt", "title", "takenAt", "location", "duration", "codec", "stackCount"];
const allFields = [...textFields, "frame", "captionExtent", "zIndex", "pictureKey", "color", "placeholder", "hidden",
  "pixelWidth", "pixelHeight"];

/** The stream has changed since the layout was opened. */
export class OtherRevision extends Error {}

export class Tiles {
  /** @type {Map<string, Tile>} */
  #tiles = new Map();
  /** @type {Map<string, {abort: AbortController, done: Promise<void>}>} */
  #requests = new Map();
  /** @type {Photo[]} */
  #seed = [];
  #failures = 0;
  #timer = 0;
  /** @type {[number, number][]} */
  #wanted = [];
  #withTexts = true;
  #isClosed = false;

  /** @param {PhotoStreamClient} client
   * @param {Source} source
   * @param {{onTile: () => void, onFailure: (error: unknown) => void, onOtherRevision: () => void}} handlers */
  constructor(client, source, handlers) {
    this.client = client;
    this.source = source;
    this.handlers = handlers;
  }

  /** Takes the photos of the first paint, which are shown until their tiles are loaded.
   * @param {import("./photostream.js").PlacedPhoto[]} items */
  seed(items) {
    this.#seed = items.filter((item) => !item.hidden).map(photoOf);
  }

  /** Cancels all requests. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { abort } of this.#requests.values()) abort.abort();
    this.#requests.clear();
  }

  /** Requests missing tiles, and cancels those that are no longer needed.
   * @param {Frame} window
   * @param {{ahead: number, behind: number, direction: number, withTexts: boolean}} around Distances in points. */
  want(window, { ahead, behind, direction, withTexts }) {
    const seen = this.#range(window);
    const [above, below] = direction > 0 ? [behind, ahead] : [ahead, behind];
    const all = this.#range({ ...window, y: window.y - above, height: window.height + above + below });
    const middle = window.y + window.height / 2;
    const distance = (/** @type {[number, number]} */ [, row]) => Math.abs((row + 0.5) * side - middle);
    const others = all.filter(([c, r]) => !seen.some(([sc, sr]) => sc === c && sr === r));
    this.#wanted = [...seen.sort((a, b) => distance(a) - distance(b)), ...others.sort((a, b) => distance(a) - distance(b))];
    const names = new Set(this.#wanted.map(name));
    for (const [key, { abort }] of this.#requests) {
      if (names.has(key.replace("texts ", ""))) continue;
      abort.abort();
      this.#requests.delete(key);
    }
    this.#withTexts = withTexts;
    this.#askForMore();
  }

  /** Waits until the tiles of a window are loaded.
   * @param {Frame} window */
  async load(window) {
    await Promise.all(this.#range(window).map((place) => this.#isLoaded(place) ? null : this.#ask(place)));
  }

  /** Returns the known photos that meet a window, each once.
   * @param {Frame} window
   * @returns {Photo[]} */
  photos(window) {
    const bottom = window.y + window.height;
    /** A large photo is in several tiles, some of which may not be loaded yet.
     * @type {Map<string, Photo>} */
    const photos = new Map();
    const add = (/** @type {Photo[]} */ all) => {
      for (const photo of all) {
        if (photo.y >= bottom || photo.y + photo.height <= window.y) continue;
        if (!photos.has(photo.id)) photos.set(photo.id, photo);
      }
    };
    const tiles = this.#range(window).map((place) => this.#tiles.get(name(place)));
    for (const tile of tiles) if (tile) add(tile.photos);
    if (tiles.includes(undefined)) add(this.#seed);
    return [...photos.values()];
  }

  /** Returns the known elements of a kind that meet a window, each once, by section.
   * @param {Frame} window
   * @param {string} kind */
  elements(window, kind) {
    /** @type {Map<number, Element>} */
    const found = new Map();
    for (const place of this.#range(window)) {
      for (const element of this.#tiles.get(name(place))?.elements ?? []) {
        if (element.kind !== kind || found.has(element.section)) continue;
        if (element.y < window.y + window.height && element.y + element.height > window.y) {
          found.set(element.section, element);
        }
      }
    }
    return found;
  }

  /** Requests the tiles around the window again, because pictures may have been decoded; the known tiles stay until then. */
  refresh() {
    for (const tile of this.#tiles.values()) tile.isStale = true;
    this.#askForMore();
  }

  /** Tries again after a failure. */
  retry() {
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#askForMore();
  }

  #isLoaded(/** @type {[number, number]} */ place) {
    const tile = this.#tiles.get(name(place));
    return tile !== undefined && !tile.isStale;
  }

  /** The places of the tiles that meet a window. */
  #range(/** @type {Frame} */ { y, height }) {
    /** @type {[number, number][]} */
    const places = [];
    const first = Math.max(0, Math.floor(y / side));
    const last = Math.max(first, Math.ceil((y + height) / side) - 1);
    for (let row = first; row <= last; row += 1) places.push([0, row]);
    return places;
  }

  #askForMore() {
    if (this.#isClosed || this.#timer) return;
    for (const place of this.#wanted) {
      if (this.#requests.size >= requestLimit) return;
      if (!this.#isLoaded(place)) this.#ask(place).catch(() => {});
    }
    if (!this.#withTexts || this.source.hasCaptions) return;
    for (const place of this.#wanted) {
      if (this.#requests.size >= requestLimit) return;
      const tile = this.#tiles.get(name(place));
      if (tile && !tile.hasTexts) this.#ask(place, tile).catch(() => {});
    }
  }

  /** Requests a tile, or the texts of a known tile. */
  #ask(/** @type {[number, number]} */ place, /** @type {Tile | undefined} */ tile = undefined) {
    const key = (tile ? "texts " : "") + name(place);
    const running = this.#requests.get(key);
    if (running) return running.done;
    const abort = new AbortController();
    const done = this.#answer(place, tile, abort.signal).then(
      () => { this.#failures = 0; },
      (error) => {
        if (!abort.signal.aborted) this.#failed(error);
        throw error;
      }
    ).finally(() => {
      if (this.#requests.get(key)?.abort === abort) this.#requests.delete(key);
      this.#askForMore();
    });
    this.#requests.set(key, { abort, done });
    return done;
  }

  async #answer(/** @type {[number, number]} */ [column, row], /** @type {Tile | undefined} */ tile,
    /** @type {AbortSignal} */ signal) {
    const { stream, options, hasCaptions, width } = this.source;
    const rect = { x: 0, y: row * side, width, height: side };
    const limit = 1_000;
    if (tile) {
      const answer = await this.client.rectWithFields(
        stream, options, rect, { limit, fields: textFields, signal });
      this.#check(answer.state);
      const texts = new Map(answer.items.map((item) => [item.photo, item]));
      for (const photo of tile.photos) photo.texts = texts.get(photo.id) ?? photo.texts ?? {};
      tile.hasTexts = true;
    } else if (hasCaptions) {
      const answer = await this.client.rectWithFields(
        stream, options, rect, { limit, fields: allFields, signal });
      this.#check(answer.state);
      const photos = answer.items.filter((item) => !item.hidden).map(photoOf);
      const elements = answer.elements.map((element) => ({ ...element, ...element.frame }));
      this.#keep({ column, row, photos, elements, hasTexts: true, isStale: false });
    } else {
      const frames = await this.client.rect(
        stream, options, rect, { limit, ids: true, pictures: true, sizes: true, signal });
      this.#check(frames.state);
      const { scale } = frames;
      const elements = frames.elements.map((element) => ({
        kind: element.kind, section: element.section, x: element.x / scale, y: element.y / scale,
        width: element.width / scale, height: element.height / scale,
      }));
      const before = new Map(this.#tiles.get(name([column, row]))?.photos.map((photo) => [photo.id, photo.texts]));
      const photos = photosOf(frames, before);
      const areTextsKnown = before.size > 0 && photos.every((photo) => photo.texts !== null);
      this.#keep({ column, row, photos, elements, hasTexts: areTextsKnown, isStale: false });
    }
    this.handlers.onTile();
  }

  /** Throws if an answer is of another revision, because its frames do not fit the others. (With `revision` in the request, the
   * server would refuse it, and the browser would log an error.) */
  #check(/** @type {string} */ state) {
    if (state !== this.source.state) throw new OtherRevision();
  }

  #keep(/** @type {Tile} */ tile) {
    const key = name([tile.column, tile.row]);
    this.#tiles.delete(key);
    this.#tiles.set(key, tile);
    while (this.#tiles.size > tileLimit) this.#tiles.delete(/** @type {string} */ (this.#tiles.keys().next().value));
  }

  #failed(/** @type {unknown} */ error) {
    if (this.#isClosed) return;
    if (error instanceof OtherRevision || (error instanceof Problem && [404, 410].includes(error.status))) {
      this.handlers.onOtherRevision();
      return;
    }
    this.handlers.onFailure(error);
    this.#failures += 1;
    const seconds = error instanceof Problem && error.retryAfter ? error.retryAfter : 0;
    const time = Math.max(seconds * 1_000, Math.min(10_000, 250 * 2 ** this.#failures));
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      this.#askForMore();
    }, time);
  }
}

/** @param {[number, number]} place */
function name([column, row]) {
  return `${column} ${row}`;
}

/** Makes a photo of an item in JSON.
 * @param {import("./photostream.js").PlacedPhoto} item
 * @returns {Photo} */
export function photoOf(item) {
  const frame = item.frame ?? { x: 0, y: 0, width: 0, height: 0 };
  return {
    id: item.photo ?? "", index: item.index ?? 0, ...frame, captionExtent: item.captionExtent ?? 0, z: item.zIndex ?? 0,
    pixelWidth: item.pixelWidth ?? 0, pixelHeight: item.pixelHeight ?? 0,
    key: item.pictureKey ?? null, color: item.color ? Number.parseInt(item.color.slice(1), 16) : -1,
    placeholder: item.placeholder ?? "", texts: item,
  };
}

/** Makes photos of frames.
 * @param {import("./photostream.js").Frames} frames
 * @param {Map<string, Texts | null>} texts
 * @returns {Photo[]} */
function photosOf(frames, texts) {
  const photos = [];
  for (let i = 0; i < frames.count; i += 1) {
    if (frames.width[i] === 0 && frames.height[i] === 0) continue;
    const id = frames.ids?.[i] ?? "";
    photos.push({
      id, index: frames.index[i], ...frames.frame(i), captionExtent: 0, z: 0,
      pixelWidth: frames.pictureSizes?.[2 * i] ?? 0, pixelHeight: frames.pictureSizes?.[2 * i + 1] ?? 0,
      key: frames.keys?.[i] ?? null, color: frames.colors?.[i] ?? -1, placeholder: frames.placeholders?.[i] ?? "",
      texts: texts.get(id) ?? null,
    });
  }
  return photos;
}
