// @ts-check
/**
 * One stream on the screen: opens its layouts, follows its changes, and finds photos in it.
 *
 * A layout is opened at a photo, and shown when its first tiles are loaded, all of one revision. A newer revision replaces the
 * layout as a whole, at the offset that the server computes, so that the photos in the window do not move.
 */

import { clamp, layoutOptions } from "./geometry.js";
import { Keyboard } from "./keyboard.js";
import * as motion from "./motion.js";
import { begin, firstFields, question } from "./opening.js";
import { Problem } from "./photostream.js";
import { Matches } from "./search.js";
import { Selection } from "./selection.js";
import { OtherRevision, Tiles, photoOf } from "./tiles.js";
import { View } from "./view.js";

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./tiles.js").Photo} Photo */
/** @typedef {import("./search.js").Reader} Reader */
/** @typedef {{id: string, index: number, offset: number, across?: number, height?: number}} Anchor `offset` is the distance
 *   from the top of the photo's frame to the top of the window, `across` that of the left edges. */
/** @typedef {{onScroll: () => void, onRest: () => void, onOpen: (photo: Photo) => void, onFailure: (error: unknown) => void,
 *   onRecovery: () => void, onOtherRevision: () => void, address: (photo: Photo) => string, onSelect: (text: string) => void,
 *   onDelete: (photo: Photo) => void, onMove: (photo: Photo, to: Photo) => void}} Handlers */

/** The number of elements that the page may contain for a moment, while deleted photos disappear. */
const elementLimit = 299;
/** The number of photos that one request names. */
const chunk = 200;

export class Gallery {
  #opening = new AbortController();
  #early;
  /** Called when a person does something. They do nothing until the page is complete.
   * @type {Handlers} */
  handlers = {
    onScroll() {}, onRest() {}, onOpen() {}, onFailure() {}, onRecovery() {}, onOtherRevision() {}, address: () => "",
    onSelect() {}, onDelete() {}, onMove() {},
  };

  /**
   * @param {import("./view.js").Parts} parts
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {Promise<import("./opening.js").Early | null> | null} early The start of the first layout, which is already requested.
   */
  constructor(parts, client, early) {
    this.parts = parts;
    this.client = client;
    this.#early = early;
    this.view = new View(parts, client, {
      onScroll: () => this.handlers.onScroll(),
      onRest: () => this.handlers.onRest(),
      onSort: () => this.keyboard.updateTabStop(),
      isCurrent: (id) => this.keyboard.isAt(id),
    });
    this.keyboard = new Keyboard(parts.photos, this);
    this.selection = new Selection(parts.photos, this, { onChange: (text) => this.handlers.onSelect(text) });
    this.view.cells.address = (photo) => this.handlers.address(photo);
    this.view.cells.isSelected = (id) => this.selection.ids.has(id);
  }

  get opened() { return this.view.opened; }
  get source() { return this.opened?.source ?? null; }
  get count() { return this.opened?.count ?? 0; }
  get revision() { return this.source?.revision ?? 0; }
  /** The state of the stream that is shown, for requests about what has changed since. */
  get state() { return this.source?.state ?? "0"; }

  // Opening

  /** Shows a layout, at the photo of an anchor if the stream contains it, otherwise at its start.
   * @param {Settings} settings
   * @param {Anchor | null} anchor
   * @param {{animated?: boolean}} how
   * @returns {Promise<boolean>} Whether it is shown: not if another one was opened in the meantime. */
  async open(settings, anchor, { animated = false } = {}) {
    this.#opening.abort();
    const { signal } = (this.#opening = new AbortController());
    try {
      await ofOneRevision(() => this.#open(settings, anchor, animated, signal), signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  async #open(/** @type {Settings} */ settings, /** @type {Anchor | null} */ anchor, /** @type {boolean} */ animated,
    /** @type {AbortSignal} */ signal) {
    const { viewport, cells } = this.view;
    viewport.measure();
    const stream = settings.stream ?? "";
    const { search } = settings;
    const options = layoutOptions(search === null ? settings : { ...settings, sections: "none" }, {
      width: viewport.width, height: viewport.height, scale: window.devicePixelRatio,
    });
    const reader = search === null ? this.client
      : new Matches(await this.client.search(stream, options, search, { signal }));
    const [first, place] = await Promise.all([
      this.#begin(reader, stream, options, signal),
      anchor && this.#locate(reader, stream, options, anchor, signal),
    ]);
    const isMap = settings.layout === "map";
    const hasCaptions = settings.captions && !isMap;
    const source = {
      stream, options, revision: first.revision, state: first.state, isMap, hasCaptions,
      hasTexts: hasCaptions || search !== null, width: first.contentSize.width, reader, search,
    };
    const tiles = this.#newTiles(source);
    if ("page" in first) tiles.seed(/** @type {any} */ (first).page.items);
    const start = isMap && first.world ? this.#mapStart(first.world) : null;
    const isKept = start && (this.source?.isMap || !place);
    const x = isKept || !place ? start?.x ?? 0 : Math.max(0, place.x);
    const y = clamp(isKept ? start.y : place?.y ?? 0, 0, Math.max(0, first.contentSize.height - viewport.height));
    // The first photos are known; those of any other place are loaded before they are shown, so that nothing flashes.
    if (y > 0 || this.opened) {
      try {
        await tiles.load({ x, y, width: viewport.width, height: viewport.height });
      } catch (error) {
        tiles.close();
        throw error;
      }
    }
    if (signal.aborted) {
      tiles.close();
      throw new DOMException("Another layout was opened.", "AbortError");
    }
    const before = animated ? motion.places(cells, viewport.offset, viewport.height) : new Map();
    const { contentSize, count, sections, world } = first;
    this.view.show({ source, contentSize, count, sections, world }, tiles, y, isMap ? x : 0);
    this.#leaveOtherPlace();
    motion.move(cells, before, viewport.offset);
  }

  /** Returns the start of a layout, which may already be requested; a request that failed is sent again. */
  async #begin(/** @type {Reader} */ reader, /** @type {string} */ stream,
    /** @type {import("./photostream.js").LayoutOptions} */ options, /** @type {AbortSignal} */ signal) {
    const early = this.#early;
    this.#early = null;
    const found = reader === this.client ? await early : null;
    return found?.question === question(stream, options) ? found.answer : begin(reader, stream, options, signal);
  }

  /** Takes the focus off a photo that is elsewhere in the new layout, or not in it: its element is still at the former place. */
  #leaveOtherPlace() {
    const { focused } = this;
    if (!focused || this.view.photosAround(1).some(({ id }) => id === focused.id)) return;
    this.parts.scroller.focus({ preventScroll: true });
    this.view.render();
  }

  #newTiles(/** @type {import("./tiles.js").Source} */ source) {
    const isShown = () => this.view.tiles === tiles;
    /** @type {Tiles} */
    const tiles = new Tiles(this.client, source, {
      onTile: () => {
        if (!isShown()) return;
        this.handlers.onRecovery();
        this.view.render();
        if (this.view.viewport.speed === 0) this.keyboard.updateTabStop();
      },
      onFailure: (error) => isShown() && this.handlers.onFailure(error),
      onOtherRevision: () => isShown() && this.handlers.onOtherRevision(),
    });
    return tiles;
  }

  /** Returns the place of the window on a map: the middle stays the same; at first it is Europe. */
  #mapStart(/** @type {import("./photostream.js").Frame} */ world) {
    const { width, height, offset, offsetX } = this.view.viewport;
    const before = this.opened?.world;
    const across = before ? (offsetX + width / 2 - before.x) / before.width : 0.52;
    const along = before ? (offset + height / 2 - before.y) / before.height : 0.36;
    return {
      x: Math.max(0, world.x + world.width * across - width / 2),
      y: Math.max(0, world.y + world.height * along - height / 2),
    };
  }

  /** Returns the place of the window at which an anchor is at its former distance; `null` if the stream lacks its photo. */
  async #locate(/** @type {Reader} */ reader, /** @type {string} */ stream,
    /** @type {any} */ options, /** @type {Anchor} */ anchor, /** @type {AbortSignal} */ signal) {
    try {
      const { item } = await reader.locate(stream, options, anchor.id, { fields: ["frame"], signal });
      const frame = item.frame ?? { x: 0, y: 0, width: 0, height: 0 };
      // A distance within the photo scales with the photo.
      const isWithin = anchor.height && anchor.offset > 0 && anchor.offset < anchor.height;
      const along = isWithin ? anchor.offset * frame.height / /** @type {number} */ (anchor.height)
        : Math.min(anchor.offset, frame.height);
      const centre = frame.x + frame.width / 2 - this.view.viewport.width / 2;
      return { x: anchor.across === undefined ? centre : frame.x + anchor.across, y: frame.y + along };
    } catch (error) {
      if (error instanceof Problem && (error.kind === "unknown-photo" || error.kind === "invalid-name")) return null;
      throw error;
    }
  }

  /** Returns the photo at the top of the window, and on a map the one next to its middle; `null` at the start of the stream.
   * @returns {Anchor | null} */
  anchor() {
    const { offset, offsetX, width, height } = this.view.viewport;
    if (!this.source || (offset < 1 && !this.source.isMap)) return null;
    const photos = this.view.photosAround(0);
    if (this.source.isMap) {
      const distance = (/** @type {Photo} */ { x, y }) => Math.hypot(x - offsetX - width / 2, y - offset - height / 2);
      const [best] = photos.sort((a, b) => distance(a) - distance(b));
      return best ? { id: best.id, index: best.index, offset: offset - best.y, across: offsetX - best.x } : null;
    }
    const [best] = photos.filter(({ y, height: extent }) => y + extent / 2 >= offset && y <= offset + height)
      .sort((a, b) => a.y - b.y || a.index - b.index);
    return best ? { id: best.id, index: best.index, offset: offset - best.y, height: best.height } : null;
  }

  // Updates

  /** Shows the current state of the stream without moving the photos in the window; at the very top, new photos arrive in view.
   * @returns {Promise<boolean>} Whether that was possible; otherwise the layout has to be opened again. */
  update() {
    return ofOneRevision(() => this.#update());
  }

  async #update() {
    const { opened, view } = this;
    // A search is repeated as a whole.
    if (!opened || opened.source.isMap || opened.source.search !== null || opened.count === 0) return false;
    const { signal } = this.#opening;
    const { source } = opened;
    const { width, height } = view.viewport;
    const start = view.viewport.readOffset();
    const keep = start < 1 ? "offset" : "item";
    const answer = await this.client.updates(source.stream, source.options, {
      since: source.state, rect: { x: 0, y: start, width, height }, keep, signal });
    if (answer.reload) return false;
    if (answer.state === source.state) return true;
    const next = { ...source, revision: answer.revision, state: answer.state };
    const shift = answer.contentOffset - start;
    const tiles = this.#newTiles(next);
    const load = () => tiles.load({ x: 0, y: Math.max(0, view.viewport.offset + shift), width, height });
    const [whole] = await Promise.all([this.client.layout(next.stream, next.options, { limit: 60, signal }), load()]);
    if (whole.state !== next.state) throw new OtherRevision();
    // The person may have scrolled in the meantime.
    await load();
    if (signal.aborted || this.opened !== opened) {
      tiles.close();
      return true;
    }
    const offset = view.viewport.readOffset() + shift;
    const before = motion.places(view.cells, view.viewport.offset, height);
    const disappear = motion.prepareToDisappear(view.cells, answer.deletions, this.parts.photos);
    const { count, sections, world } = whole;
    view.show({ source: next, contentSize: answer.contentSize, count, sections, world }, tiles, offset);
    motion.move(view.cells, before, view.viewport.offset);
    motion.appear(view.cells, answer.insertions);
    disappear(elementLimit - this.parts.plane.querySelectorAll("*").length);
    return true;
  }

  // Places

  /** Returns photos of the stream by their ids, without those that it lacks.
   * @param {string[]} ids
   * @param {string[]} fields */
  async items(ids, fields) {
    /** @type {import("./photostream.js").PlacedPhoto[]} */
    const all = [];
    const { source } = this;
    for (let from = 0; source && from < ids.length; from += chunk) {
      const { stream, options, reader } = source;
      all.push(...(await reader.items(stream, options, { ids: ids.slice(from, from + chunk) }, { fields })).items);
    }
    return all;
  }

  /** Returns those of some photos that are above the window.
   * @param {string[]} ids */
  async above(ids) {
    const items = await this.items(ids, ["photo", "frame"]);
    return items.flatMap(({ photo, frame }) =>
      photo && frame && frame.y + frame.height <= this.view.viewport.offset ? [photo] : []);
  }

  /** Returns the position of a photo in the stream; `null` if the stream lacks it.
   * @param {string} id */
  async indexOf(id) {
    const [item] = await this.items([id], ["index"]);
    return item?.index ?? null;
  }

  /** Returns the position of a photo in the layout that is shown, which may be older than the stream; of a photo that is not in
   * the window, its position in the stream.
   * @param {string} id */
  async shownIndexOf(id) {
    return this.view.photosAround(0).find((photo) => photo.id === id)?.index ?? this.indexOf(id);
  }

  /** Scrolls to a photo, and returns it.
   * @param {{id: string} | {index: number}} which
   * @param {{atTop?: boolean, isLenient?: boolean}} how Whether it is shown at the top; whether a visible part of it is enough.
   * @returns {Promise<Photo | null>} */
  async reveal(which, { atTop = false, isLenient = false } = {}) {
    const photo = await this.find(which);
    if (!this.source || !photo) return null;
    const { viewport } = this.view;
    const { offset, height } = viewport;
    const header = Number(this.source.options.headerSize ?? 8);
    const isSeen = photo.y < offset + height && photo.y + photo.height > offset;
    if (isLenient && isSeen && !this.source.isMap) return photo;
    if (atTop || photo.y < offset + header) viewport.scrollTo(photo.y - header);
    else if (photo.y + photo.height > offset + height - 8) {
      // The top of a photo that is higher than the window is visible in any case.
      viewport.scrollTo(Math.min(photo.y - header, photo.y + photo.height - height + 8));
    }
    if (this.source.isMap) this.#revealAcross(photo);
    await this.view.loadAround(0);
    this.view.render();
    return photo;
  }

  /** Scrolls a map sideways, if necessary. */
  #revealAcross(/** @type {Photo} */ photo) {
    const { offsetX, width } = this.view.viewport;
    if (photo.x >= offsetX && photo.x + photo.width <= offsetX + width) return;
    this.parts.scroller.scrollLeft = photo.x + photo.width / 2 - width / 2;
    this.view.viewport.readOffset();
  }

  /** Scrolls to the first photo of a day, or of the next day in the order of the stream.
   * @param {string} day */
  async revealDay(day) {
    const { source, client } = this;
    if (!source) return;
    const { stream } = source;
    const { order } = await client.stream(stream);
    const isBefore = (/** @type {string} */ date) =>
      order === "oldest" ? date < day : date.slice(0, 10) > day.slice(0, date.length);
    if (source.search !== null) {
      const { items } = await source.reader.items(stream, source.options, { from: 0, count: 1_000 });
      const match = items.find(({ takenAt }) => !takenAt || !isBefore(takenAt)) ?? items.at(-1);
      if (match) await this.reveal({ index: match.index ?? 0 }, { atTop: true });
      return;
    }
    // A binary search of the sections by day, one request each. A grid is the cheapest layout for the server.
    const layout = { width: 1_000, algorithm: "grid", sectionBy: "day" };
    const section = (/** @type {number} */ number) => client.layout(stream, layout, { fromSection: number, limit: 1 });
    const total = (await section(0)).sectionCount;
    let [low, high] = [0, total];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { sections: [{ id }] } = await section(middle);
      if (id !== "undated" && id !== "all" && isBefore(id)) low = middle + 1;
      else high = middle;
    }
    const { sections: [found] } = await section(Math.min(low, total - 1));
    await this.reveal({ index: found.firstIndex }, { atTop: true });
  }

  /** Returns a photo with its place; `null` if the stream lacks it.
   * @param {{id: string} | {index: number}} which
   * @returns {Promise<Photo | null>} */
  async find(which) {
    const known = this.#known(which);
    if (known || !this.source) return known;
    const { stream, options, reader } = this.source;
    const photos = "id" in which ? { ids: [which.id] } : { from: which.index, count: 1 };
    const { items: [item] } = await reader.items(stream, options, photos, { fields: firstFields });
    return item ? photoOf(item) : null;
  }

  #known(/** @type {{id: string} | {index: number}} */ which) {
    if ("id" in which) return this.view.cells.byID.get(which.id)?.photo ?? null;
    return this.view.photosAround(2).find((photo) => photo.index === which.index) ?? null;
  }

  // The focus

  /** Gives a photo the focus, and returns it.
   * @param {{id: string} | {index: number}} which
   * @param {{isLenient?: boolean}} how Whether a photo that is partly visible may stay where it is. */
  async focus(which, { isLenient = false } = {}) {
    const photo = await this.reveal(which, { isLenient }).catch(() => null);
    if (photo) this.keyboard.focus(photo);
    return photo;
  }

  /** The photo that has the focus. */
  get focused() {
    for (const { link, photo } of this.view.cells.byID.values()) if (link === document.activeElement) return photo;
    return null;
  }

  /** Moves the focus from a photo that is gone to the photo in its place, if that is visible. Nothing scrolls.
   * @param {Photo} gone */
  leave(gone) {
    const photo = this.#known({ index: clamp(gone.index, 0, this.count - 1) });
    if (photo && this.view.cells.byID.has(photo.id)) this.keyboard.focus(photo);
    else this.parts.scroller.focus({ preventScroll: true });
    // Removes the former photo, whose element stayed only because it had the focus.
    this.view.render();
  }
}

/** Runs requests, and again if the stream changed between two of them.
 * @template T
 * @param {() => Promise<T>} work
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>} */
async function ofOneRevision(work, signal) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 5 || signal?.aborted || !(error instanceof OtherRevision)) throw error;
    }
  }
}
