// @ts-check
/**
 * One stream on the screen: opens its layouts, follows its changes, and finds photos in it.
 *
 * A layout is opened at a photo, and shown when its first tiles are loaded, all of one revision. A newer revision replaces the
 * layout as a whole, at the offset that the server computes, so that the photos in the window do not move.
 */

import { anchorAt, isAt, middle, offsetOf, pointOf } from "./anchor.js";
import { clamp, layoutOptions } from "./geometry.js";
import { Keyboard } from "./keyboard.js";
import * as motion from "./motion.js";
import { begin, firstFields, question, textScale } from "./opening.js";
import { Problem } from "./photostream.js";
import { Selection } from "./selection.js";
import { OtherRevision, Tiles, photoOf } from "./tiles.js";
import { View } from "./view.js";

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./tiles.js").Photo} Photo */
/** @typedef {import("./anchor.js").Anchor} Anchor */
/** @typedef {import("./anchor.js").Place} Place */
/** @typedef {{onScroll: () => void, onRest: () => void, onOpen: (photo: {id: string}) => void, onFailure: (error: unknown) => void,
 *   onRecovery: () => void, onOtherRevision: () => void, address: (photo: Photo) => string, onSelect: (text: string) => void,
 *   onKnown: () => void, onDelete: (photo: Photo) => void, onArchive: (photo: Photo) => void, onMove: (photo: Photo, to: Photo) => void,
 *   onPlace: (place: {middle: string, zoom: number}) => void}} Handlers `onPlace` is called when the map has moved. */

/** The number of elements that the page may contain for a moment, while deleted photos disappear. */
const elementLimit = 299;
/** The number of photos that one request names. */
const chunk = 200;
const frameFields = ["photo", "index", "frame", "captionExtent"];

export class Gallery {
  #opening = new AbortController();
  #early;
  /** The anchor, until the window is scrolled: `null` is the start of the stream, `undefined` none yet.
   * @type {Anchor | null | undefined} */
  #anchor;
  /** @type {import("./map.js").MapView | null} */
  #map = null;
  /** The place at which the map was opened, to which the other layouts return.
   * @type {Anchor | Place | null} */
  #kept = null;
  /** Called when a person does something. They do nothing until the page is complete.
   * @type {Handlers} */
  handlers = {
    onScroll() {}, onRest() {}, onOpen() {}, onFailure() {}, onRecovery() {}, onOtherRevision() {}, address: () => "",
    onSelect() {}, onKnown() {}, onDelete() {}, onArchive() {}, onMove() {}, onPlace() {},
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
      onLeave: () => { this.#anchor = undefined; },
      onKnown: () => this.handlers.onKnown(),
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
  /** The condition of the photos that are shown; `null` for all. */
  get search() { return this.source?.options.where ?? null; }

  /** The photos among which an open one is: those of a place of the map, if they are listed, otherwise all. */
  get among() {
    const { source, count } = this;
    const place = source?.isMap ? this.#map?.list.photos : null;
    return { source: source && { ...source, reader: place ?? this.client }, count: place ? place.count ?? 0 : count };
  }

  // Opening

  /** Shows a layout, at the photo of an anchor or an address if the stream contains it, otherwise at its start.
   * @param {Settings} settings
   * @param {Anchor | Place | null} anchor
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

  async #open(/** @type {Settings} */ settings, /** @type {Anchor | Place | null} */ anchor, /** @type {boolean} */ animated,
    /** @type {AbortSignal} */ signal) {
    const { viewport, cells } = this.view;
    viewport.measure();
    const stream = settings.stream ?? "";
    const options = layoutOptions(settings, {
      width: viewport.width, height: viewport.height, scale: window.devicePixelRatio, text: textScale(),
    });
    const [first, place] = await Promise.all([
      this.#begin(stream, options, signal),
      anchor && settings.layout !== "map" ? this.#locate(stream, options, anchor, signal) : null,
    ]);
    const isMap = settings.layout === "map";
    const source = {
      stream, options, revision: first.revision, state: first.state, isMap, hasCaptions: settings.captions && !isMap,
      width: first.contentSize.width,
    };
    if (isMap) return this.#showMap(settings, source, first, anchor, signal);
    const tiles = this.#newTiles(source);
    if ("page" in first) tiles.seed(/** @type {any} */ (first).page.items);
    const y = clamp(place?.y ?? 0, 0, Math.max(0, first.contentSize.height - viewport.height));
    // The first photos are known; those of any other place are loaded before they are shown, so that nothing flashes.
    if (y > 0 || this.opened) {
      try {
        await tiles.load({ x: 0, y, width: viewport.width, height: viewport.height });
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
    const { contentSize, count, sections } = first;
    const isLost = anchor !== null && place === null && count > 0;
    this.view.show({ source, contentSize, count, sections, isLost }, tiles, y);
    this.#map?.hide();
    this.#anchor = anchor && "part" in anchor && place ? { ...anchor, index: place.index } : undefined;
    this.#leaveOtherPlace();
    motion.move(cells, before, viewport.offset);
  }

  /** Shows the map, whose window and photos are its own. */
  async #showMap(/** @type {Settings} */ settings, /** @type {import("./tiles.js").Source} */ source,
    /** @type {import("./photostream.js").Layout} */ answer, /** @type {Anchor | Place | null} */ anchor,
    /** @type {AbortSignal} */ signal) {
    const { MapView } = await import("./map.js");
    if (signal.aborted) throw new DOMException("Another layout was opened.", "AbortError");
    this.#kept = anchor;
    this.#map ??= new MapView(this.parts.map, this.client, {
      onMove: (place) => this.handlers.onPlace(place),
      onOpen: (id) => this.handlers.onOpen({ id }),
      onFailure: (error) => this.handlers.onFailure(error),
      onRecovery: () => this.handlers.onRecovery(),
      onOtherRevision: () => this.handlers.onOtherRevision(),
    });
    this.view.showNothing({ source, contentSize: { width: 0, height: 0 }, count: answer.count, sections: [], isLost: false });
    this.#map.show(settings, answer);
  }

  /** Returns the start of a layout, which may already be requested; a request that failed is sent again. */
  async #begin(/** @type {string} */ stream, /** @type {import("./photostream.js").LayoutOptions} */ options,
    /** @type {AbortSignal} */ signal) {
    const early = this.#early;
    this.#early = null;
    const found = await early;
    return found?.question === question(stream, options) ? found.answer : begin(stream, options, signal);
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
        this.view.showTile();
      },
      onFailure: (error) => isShown() && this.handlers.onFailure(error),
      onOtherRevision: () => isShown() && this.handlers.onOtherRevision(),
    });
    return tiles;
  }

  /** Returns the place of the window for an anchor or an address; `null` if there is none. Instead of a photo that the stream
   * lacks, an anchor uses the photo at its position; an address has no place then. */
  async #locate(/** @type {string} */ stream, /** @type {any} */ options, /** @type {Anchor | Place} */ anchor,
    /** @type {AbortSignal} */ signal) {
    const item = await this.#itemOf(stream, options, anchor.id, signal)
      ?? ("part" in anchor ? await this.#itemNear(stream, options, anchor.index, signal) : null);
    if (!item) return null;
    const { height } = this.view.viewport;
    const photo = photoOf(item);
    const y = "part" in anchor ? pointOf(anchor, photo) - anchor.at * height : offsetOf(anchor, photo, height);
    return { y, index: photo.index };
  }

  /** Returns a photo with its frame; `null` if the stream lacks it, which is no error that a browser would report.
   * @returns {Promise<(import("./photostream.js").PlacedPhoto & {state: string}) | null>} */
  async #itemOf(/** @type {string} */ stream, /** @type {any} */ options, /** @type {string} */ id, /** @type {AbortSignal} */ signal) {
    try {
      const { items: [item], state } = await this.client.items(stream, options, { ids: [id] }, { fields: frameFields, signal });
      return item ? { ...item, state } : null;
    } catch (error) {
      // No photo has such an id.
      if (error instanceof Problem && error.status === 400) return null;
      throw error;
    }
  }

  /** Returns the photo at a position, or the last one. */
  async #itemNear(/** @type {string} */ stream, /** @type {any} */ options, /** @type {number} */ index,
    /** @type {AbortSignal} */ signal) {
    const last = Math.max(0, (await this.client.layout(stream, options, { limit: 1, signal })).count - 1);
    const which = { from: Math.min(index, last), count: 1 };
    const { items } = await this.client.items(stream, options, which, { fields: frameFields, signal }).catch((error) => {
      // Photos disappeared between the two requests.
      throw error instanceof Problem && error.kind === "index-out-of-range" ? new OtherRevision() : error;
    });
    return items[0] ?? null;
  }

  // The anchor

  /** Returns the anchor, which is chosen now unless it is kept, and on a map the place at which it was opened; `null` at the start
   * of the stream.
   * @returns {Anchor | Place | null} */
  anchor() {
    return this.source?.isMap ? this.#kept : this.#chosen();
  }

  #chosen() {
    if (this.#anchor === undefined) this.#choose(middle, this.view.viewport.width / 2);
    return this.#anchor ?? null;
  }

  /** Chooses the anchor under a pointer, unless the present one is at that height.
   * @param {{x: number, y: number}} pointer In the window. */
  anchorUnder({ x, y }) {
    const at = clamp(y / Math.max(1, this.view.viewport.height), 0, 1);
    if (!isAt(this.#anchor, at)) this.#choose(at, x);
  }

  #choose(/** @type {number} */ at, /** @type {number} */ x) {
    const { viewport } = this.view;
    const { offset, height } = viewport;
    if (!this.source) return;
    this.#anchor = offset < 1 ? null : anchorAt(this.view.photosAround(1), { x, y: offset + at * height }, at) ?? undefined;
    if (this.#anchor !== undefined) viewport.hold();
  }

  /** Returns the place of the window for an address; `null` at the start of the stream.
   * @returns {Place | null} */
  place() {
    const { height, offset } = this.view.viewport;
    if (this.source?.isMap) return this.#kept && placeOf(this.#kept, height);
    const anchor = this.#chosen();
    if (!anchor || !this.source) return null;
    const photos = this.view.photosAround(1);
    const photo = photos.find(({ id }) => id === anchor.id) ?? photos.sort((a, b) => a.y - b.y)[0];
    return photo ? { id: photo.id, index: photo.index, offset: offset - photo.y } : null;
  }

  // Updates

  /** Shows the current state of the stream without moving the photos in the window; at the very top, new photos arrive in view.
   * @returns {Promise<boolean>} Whether that was possible; otherwise the layout has to be opened again. */
  update() {
    return ofOneRevision(() => this.#update());
  }

  async #update() {
    const { opened, view } = this;
    if (!opened || opened.source.isMap || opened.count === 0) return false;
    const { signal } = this.#opening;
    const { source } = opened;
    const { width, height } = view.viewport;
    const start = view.viewport.readOffset();
    const keep = start < 1 ? "offset" : "item";
    const anchor = start < 1 ? null : this.#shown(this.#chosen());
    const [answer, place] = await Promise.all([
      this.client.updates(source.stream, source.options, {
        since: source.state, rect: { x: 0, y: start, width, height }, keep, signal }),
      anchor && this.#itemOf(source.stream, source.options, anchor.photo.id, signal),
    ]);
    if (answer.reload) return false;
    if (answer.state === source.state) return true;
    const next = { ...source, revision: answer.revision, state: answer.state };
    if (anchor && anchor.anchor === this.#anchor) {
      this.#anchor = place ? { ...anchor.anchor, index: photoOf(place).index } : undefined;
    }
    const shift = anchor && place ? pointOf(anchor.anchor, photoOf(place)) - pointOf(anchor.anchor, anchor.photo)
      : answer.contentOffset - start;
    const tiles = this.#newTiles(next);
    const load = () => tiles.load({ x: 0, y: Math.max(0, view.viewport.offset + shift), width, height });
    const [whole] = await Promise.all([this.client.layout(next.stream, next.options, { limit: 60, signal }), load()]);
    if (whole.state !== next.state || (place && place.state !== next.state)) throw new OtherRevision();
    // The person may have scrolled in the meantime.
    await load();
    if (signal.aborted || this.opened !== opened) {
      tiles.close();
      return true;
    }
    const offset = view.viewport.readOffset() + shift;
    const before = motion.places(view.cells, view.viewport.offset, height);
    const disappear = motion.prepareToDisappear(view.cells, answer.deletions, this.parts.photos);
    const { count, sections } = whole;
    view.show({ source: next, contentSize: answer.contentSize, count, sections, isLost: false }, tiles, offset);
    motion.move(view.cells, before, view.viewport.offset);
    motion.appear(view.cells, answer.insertions);
    disappear(elementLimit - this.parts.plane.querySelectorAll("*").length);
    return true;
  }

  /** Returns an anchor with its photo, if that is known. */
  #shown(/** @type {Anchor | null} */ anchor) {
    const photo = anchor && this.view.photosAround(1).find(({ id }) => id === anchor.id);
    return anchor && photo ? { anchor, photo } : null;
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
      const { stream, options } = source;
      all.push(...(await this.client.items(stream, options, { ids: ids.slice(from, from + chunk) }, { fields })).items);
    }
    return all;
  }

  /** Returns those of some photos that are above the window.
   * @param {string[]} ids */
  async above(ids) {
    if (this.source?.isMap) return [];
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
    const photo = this.source?.isMap ? null : await this.find(which);
    if (!this.source || !photo) return null;
    const { viewport } = this.view;
    const { offset, height } = viewport;
    const header = Number(this.source.options.headerSize ?? 8);
    const isSeen = photo.y < offset + height && photo.y + photo.height > offset;
    if (isLenient && isSeen) return photo;
    if (atTop || photo.y < offset + header) viewport.scrollTo(photo.y - header);
    else if (photo.y + photo.height > offset + height - 8) {
      // The top of a photo that is higher than the window is visible in any case.
      viewport.scrollTo(Math.min(photo.y - header, photo.y + photo.height - height + 8));
    }
    await this.view.loadAround(0);
    this.view.render();
    return photo;
  }

  /** Returns a photo with its place; `null` if the stream lacks it.
   * @param {{id: string} | {index: number}} which
   * @returns {Promise<Photo | null>} */
  async find(which) {
    const known = this.#known(which);
    if (known || !this.source) return known;
    const { stream, options } = this.source;
    const photos = "id" in which ? { ids: [which.id] } : { from: which.index, count: 1 };
    const { items: [item] } = await this.client.items(stream, options, photos, { fields: firstFields });
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
    if (this.source?.isMap && "id" in which) this.#map?.focus(which.id);
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
    if (this.source?.isMap) return;
    const next = this.#known({ index: clamp(gone.index, 0, this.count - 1) });
    // If photos before it are gone as well, the next one may be below the window.
    const photo = next && this.view.cells.byID.has(next.id) ? next : this.view.photosAround(0)[0];
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

/** Returns the place of an address for an anchor whose photo is not on the screen: it is exact up to the height of the photo.
 * @param {Anchor | Place} kept
 * @param {number} height The height of the window.
 * @returns {Place} */
function placeOf(kept, height) {
  return "part" in kept ? { id: kept.id, index: kept.index, offset: Math.round(-kept.at * height) } : kept;
}
