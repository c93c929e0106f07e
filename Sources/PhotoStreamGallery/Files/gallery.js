// @ts-check
/**
 * The photos of a stream on the screen: joins the layout of the server with viewport, tiles, cells and sections.
 *
 * A layout is opened at a photo and shown once its first tiles are there, all of one revision. A newer revision replaces
 * it as a whole, with the offset that the server computes, so that what is looked at stays where it is.
 */

import { Cells } from "./cells.js";
import { clamp, layoutOptions } from "./geometry.js";
import { Keyboard } from "./keyboard.js";
import * as motion from "./motion.js";
import { beginning, firstFields } from "./opening.js";
import { Problem } from "./photostream.js";
import { Matches } from "./search.js";
import { Sections } from "./sections.js";
import { Selection } from "./selection.js";
import { Slivers } from "./slivers.js";
import { OtherRevision, Tiles, photoOf } from "./tiles.js";
import { Viewport } from "./viewport.js";

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./tiles.js").Photo} Photo */
/** @typedef {{id: string, index: number, offset: number, across?: number, height?: number}} Anchor `offset` is from the
 *   top of the photo's frame to the top of the window, `across` from its left edge to the left edge. */
/** @typedef {{onScroll: () => void, onRest: () => void, onOpen: (photo: Photo) => void, onFailure: (error: unknown) => void,
 *   onRecovery: () => void, onOtherRevision: () => void, address: (photo: Photo) => string, onSelect: (text: string) => void,
 *   onDelete: (photo: Photo) => void, onMove: (photo: Photo, to: Photo) => void}} Handlers */
/** @typedef {{source: import("./tiles.js").Source, contentSize: {width: number, height: number}, count: number,
 *   sections: import("./photostream.js").Section[], seed: import("./photostream.js").PlacedPhoto[],
 *   world?: import("./photostream.js").Frame}} Opened */

/** Above this speed, in screens per second, photos are only colours; above the second, only placeholders. */
const [colorSpeed, placeholderSpeed] = [3, 1];
/** Above this speed, tiles are asked for from time to time only: most of them would be gone before they come. */
const flingSpeed = 6;
const flingInterval = 60;
/** The number of times that pictures which could not be loaded are asked for again while nothing scrolls: over a minute. */
const pictureAttempts = 6;
/** The number of elements that the page holds in its content for a moment, while deleted photos disappear. */
const elementLimit = 299;

export class Gallery {
  /** @type {Opened | null} */
  opened = null;
  /** @type {Tiles | null} */
  #tiles = null;
  #opening = new AbortController();
  #wantedAt = 0;
  /**
   * What happens when a person does something: nothing until the page is complete.
   *
   * @type {Handlers}
   */
  handlers = {
    onScroll() {}, onRest() {}, onOpen() {}, onFailure() {}, onRecovery() {}, onOtherRevision() {}, address: () => "",
    onSelect() {}, onDelete() {}, onMove() {},
  };

  /**
   * @param {{scroller: HTMLElement, plane: HTMLElement, photos: HTMLElement, headers: HTMLElement, world: HTMLElement}} parts
   * @param {import("./photostream.js").PhotoStreamClient} client
   */
  constructor(parts, client) {
    this.parts = parts;
    this.client = client;
    this.cells = new Cells(parts.photos, client);
    this.cells.address = (photo) => this.handlers.address(photo);
    this.sections = new Sections(parts.headers);
    this.slivers = new Slivers(parts.photos);
    this.viewport = new Viewport(parts.scroller, parts.plane, {
      onScroll: () => {
        this.render();
        this.handlers.onScroll();
      },
      onRest: () => {
        this.#pictureFailures = 0;
        this.render();
        this.handlers.onRest();
        this.#sortLater();
      },
      onRebase: () => {
        this.cells.base = this.viewport.base;
        this.cells.rebase();
      },
    });
    this.keyboard = new Keyboard(parts.photos, this);
    this.selection = new Selection(parts.photos, this, { onChange: (text) => this.handlers.onSelect(text) });
    this.cells.isSelected = (id) => this.selection.ids.has(id);
    this.cells.onFailure = () => this.#loadAgainLater();
  }

  get count() { return this.opened?.count ?? 0; }
  get revision() { return this.opened?.source.revision ?? 0; }

  /** The state of the stream that is shown, which the server knows again. */
  get state() { return this.opened?.source.state ?? "0"; }
  get source() { return this.opened?.source ?? null; }

  // Opening

  /**
   * Shows a layout, at the photo of an anchor if the stream has it, else at its start.
   *
   * @param {Settings} settings
   * @param {Anchor | null} anchor
   * @param {{animated?: boolean}} how
   * @returns {Promise<boolean>} Whether it is shown: not if another one was opened in the meantime.
   */
  async open(settings, anchor, { animated = false } = {}) {
    this.#opening.abort();
    const { signal } = (this.#opening = new AbortController());
    try {
      for (let attempt = 0; ; attempt += 1) {
        try {
          await this.#open(settings, anchor, animated, signal);
          return true;
        } catch (error) {
          // The stream has changed between two questions.
          if (attempt < 5 && error instanceof OtherRevision && !signal.aborted) continue;
          throw error;
        }
      }
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  async #open(/** @type {Settings} */ settings, /** @type {Anchor | null} */ anchor, /** @type {boolean} */ animated,
    /** @type {AbortSignal} */ signal) {
    this.viewport.measure();
    const stream = settings.stream ?? "";
    const isMap = settings.layout === "map";
    const { search } = settings;
    const options = layoutOptions(search === null ? settings : { ...settings, sections: "none" }, {
      width: this.viewport.width, height: this.viewport.height, scale: window.devicePixelRatio,
    });
    const reader = search === null ? this.client
      : new Matches(await this.client.search(stream, options, search, { signal }));
    const [first, place] = await Promise.all([
      beginning(reader, stream, options, signal),
      anchor && this.#locate(reader, stream, options, anchor, signal),
    ]);
    const hasCaptions = settings.captions && !isMap;
    const source = {
      stream, options, revision: first.revision, state: first.state, isMap, hasCaptions, hasTexts: hasCaptions || search !== null,
      width: first.contentSize.width, reader, search,
    };
    const tiles = this.#newTiles(source);
    if ("page" in first) tiles.seed(/** @type {any} */ (first).page.items);
    const height = this.viewport.height;
    const most = Math.max(0, first.contentSize.height - height);
    const start = isMap && first.world ? this.#mapStart(first.world) : null;
    const isKept = start && (this.opened?.source.isMap || !place);
    const x = isKept || !place ? start?.x ?? 0 : Math.max(0, place.x);
    const y = clamp(isKept ? start.y : place?.y ?? 0, 0, most);
    // The first photos are there already; those of any other place are awaited, so that nothing flashes.
    if (y > 0 || this.opened) {
      try {
        await tiles.load({ x, y, width: this.viewport.width, height });
      } catch (error) {
        tiles.close();
        throw error;
      }
    }
    if (signal.aborted) {
      tiles.close();
      throw new DOMException("Another layout was opened.", "AbortError");
    }
    const before = animated ? motion.places(this.cells, this.viewport.offset, height) : new Map();
    this.#show({
      source, contentSize: first.contentSize, count: first.count, sections: first.sections,
      seed: "page" in first ? /** @type {any} */ (first).page.items : [], world: first.world,
    }, tiles, y, isMap ? x : 0, settings);
    this.#leaveOtherPlace();
    motion.move(this.cells, before, this.viewport.offset);
  }

  /** Takes the focus off a photo that the new layout has elsewhere, or not at all: its element is at its former place. */
  #leaveOtherPlace() {
    const { focused } = this;
    if (!focused || this.photosAround(1).some(({ id }) => id === focused.id)) return;
    this.parts.scroller.focus({ preventScroll: true });
    this.render();
  }

  #newTiles(/** @type {import("./tiles.js").Source} */ source) {
    /** @type {Tiles} */
    const tiles = new Tiles(this.client, source, {
      onTile: () => {
        if (this.#tiles !== tiles) return;
        this.handlers.onRecovery();
        this.render();
        if (this.viewport.speed === 0) this.keyboard.updateTabStop();
      },
      onFailure: (error) => this.#tiles === tiles && this.handlers.onFailure(error),
      onOtherRevision: () => this.#tiles === tiles && this.handlers.onOtherRevision(),
    });
    return tiles;
  }

  /** Shows a layout whose first tiles are there. */
  #show(/** @type {Opened} */ opened, /** @type {Tiles} */ tiles, /** @type {number} */ offset,
    /** @type {number | undefined} */ offsetX = undefined, /** @type {Settings | null} */ settings = null) {
    const isOther = opened.source.stream !== this.opened?.source.stream;
    this.#tiles?.close();
    this.#tiles = tiles;
    this.opened = opened;
    if (isOther) this.cells.clear();
    this.cells.count = opened.count;
    this.cells.scale = window.devicePixelRatio;
    if (settings) {
      this.cells.hasCaptions = opened.source.hasCaptions;
      this.cells.isCropped = settings.layout === "grid" || settings.layout === "map";
    }
    this.parts.photos.classList.toggle("map", opened.source.isMap);
    const [, start] = /** @type {number[]} */ (opened.source.options.contentInset);
    this.parts.plane.style.setProperty("--start", `${opened.source.isMap ? 12 : start}px`);
    this.#showWorld(opened.world);
    this.sections.reset(opened.source, opened.sections);
    this.viewport.setContent(opened.contentSize, offset, offsetX);
    this.cells.base = this.viewport.base;
    this.render();
    this.cells.rebase();
    this.cells.sort();
    this.keyboard.updateTabStop();
  }

  #showWorld(/** @type {import("./photostream.js").Frame | undefined} */ world) {
    this.parts.world.hidden = !world;
    if (!world) return;
    Object.assign(this.parts.world.style, {
      left: `${world.x}px`, top: `${world.y}px`, width: `${world.width}px`, height: `${world.height}px`,
      backgroundSize: `${world.width / 12}px ${world.height / 12}px`,
    });
  }

  /** The place of the window on a map: what was in the middle stays there; at first Europe is. */
  #mapStart(/** @type {import("./photostream.js").Frame} */ world) {
    const { width, height, offset, offsetX } = this.viewport;
    const before = this.opened?.world;
    const across = before ? (offsetX + width / 2 - before.x) / before.width : 0.52;
    const along = before ? (offset + height / 2 - before.y) / before.height : 0.36;
    return {
      x: Math.max(0, world.x + world.width * across - width / 2),
      y: Math.max(0, world.y + world.height * along - height / 2),
    };
  }

  /** Returns the place of the window at which an anchor stands as before; `null` if its photo is not there. */
  async #locate(/** @type {import("./search.js").Reader} */ reader, /** @type {string} */ stream,
    /** @type {any} */ options, /** @type {Anchor} */ anchor, /** @type {AbortSignal} */ signal) {
    try {
      const { item } = await reader.locate(stream, options, anchor.id, { fields: ["frame"], signal });
      const frame = item.frame ?? { x: 0, y: 0, width: 0, height: 0 };
      // A place within the photo is kept as a part of it.
      const isWithin = anchor.height && anchor.offset > 0 && anchor.offset < anchor.height;
      const along = isWithin ? anchor.offset * frame.height / /** @type {number} */ (anchor.height)
        : Math.min(anchor.offset, frame.height);
      const centre = frame.x + frame.width / 2 - this.viewport.width / 2;
      return { x: anchor.across === undefined ? centre : frame.x + anchor.across, y: frame.y + along };
    } catch (error) {
      if (error instanceof Problem && (error.kind === "unknown-photo" || error.kind === "invalid-name")) return null;
      throw error;
    }
  }

  /**
   * The photo at the top of the window, and its distance; `null` at the start of the stream.
   *
   * @returns {Anchor | null}
   */
  anchor() {
    const { offset, height } = this.viewport;
    if (!this.opened) return null;
    if (this.opened.source.isMap) return this.#mapAnchor();
    if (offset < 1) return null;
    /** @type {Photo | null} */
    let best = null;
    for (const photo of this.#tiles?.photos(this.#window()) ?? []) {
      if (photo.y + photo.height / 2 < offset || photo.y > offset + height) continue;
      if (!best || photo.y < best.y || (photo.y === best.y && photo.index < best.index)) best = photo;
    }
    return best && { id: best.id, index: best.index, offset: offset - best.y, height: best.height };
  }

  /**
   * The photo next to the middle of the window on a map.
   *
   * @returns {Anchor | null}
   */
  #mapAnchor() {
    const { offset, offsetX, width, height } = this.viewport;
    const distance = (/** @type {Photo} */ { x, y }) => Math.hypot(x - offsetX - width / 2, y - offset - height / 2);
    const [best] = (this.#tiles?.photos(this.#window()) ?? []).sort((a, b) => distance(a) - distance(b));
    return best ? { id: best.id, index: best.index, offset: offset - best.y, across: offsetX - best.x } : null;
  }

  // Showing

  #window(above = 0, below = 0) {
    const { offset, offsetX, width, height } = this.viewport;
    return { x: offsetX, y: offset - above, width, height: height + above + below };
  }

  /** Shows what is in the window and around it. */
  render() {
    const tiles = this.#tiles;
    if (!tiles || !this.opened) return;
    const { height, direction, speed, base } = this.viewport;
    const isMap = this.opened.source.isMap;
    const isSlow = speed < placeholderSpeed;
    const isFlung = speed > flingSpeed;
    const time = performance.now();
    if (!isFlung || time - this.#wantedAt > flingInterval) {
      this.#wantedAt = time;
      const isAlone = isMap || isFlung;
      tiles.want(this.#window(), {
        ahead: isAlone ? 0 : 1.5 * height, behind: isAlone ? 0 : height, direction, withTexts: isSlow });
    }
    const seen = tiles.photos(this.#window());
    const [above, below] = direction > 0 ? [0.5, 1.5] : [1.5, 0.5];
    const around = isMap ? seen : tiles.photos(this.#window(above * height, below * height));
    const backgrounds = tiles.elements(this.#window(0.5 * height, height), "section-background");
    this.sections.show(backgrounds, { base, planeHeight: this.viewport.planeHeight });
    const photos = this.#nearest(seen, around, this.cells.makeRoom(this.sections.elementCount));
    this.cells.show(photos);
    this.slivers.show(isMap ? [] : seen.filter(({ id }) => !this.cells.byID.has(id)), this.#window(), base);
    if (speed < colorSpeed && !this.cells.showPlaceholders(isSlow ? [...seen, ...photos] : seen)) this.#renderAgain();
    if (isSlow) {
      this.cells.load(seen, "high");
      if (speed === 0 && this.cells.missing(seen) === 0) this.cells.load(photos, "low");
      else if (speed === 0) this.#loadOthersLater();
    }
  }

  #frame = 0;
  /** Goes on in the next frame. */
  #renderAgain() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.render();
    });
  }

  #sortTimer = 0;
  /** Puts the elements into the order of the stream, in a task of its own. */
  #sortLater() {
    this.#sortTimer ||= window.setTimeout(() => {
      this.#sortTimer = 0;
      if (this.viewport.speed > 0) return;
      this.cells.sort();
      this.keyboard.updateTabStop();
    });
  }

  #laterTimer = 0;
  /** Loads the pictures around the window once those in it are there. */
  #loadOthersLater() {
    if (this.#laterTimer) return;
    this.#laterTimer = window.setTimeout(() => {
      this.#laterTimer = 0;
      if (this.viewport.speed === 0) this.cells.load([...this.cells.byID.values()].map((cell) => cell.photo), "low");
    }, 150);
  }

  #againTimer = 0;
  #pictureFailures = 0;
  /** Loads pictures again that could not be loaded: a server that is busy refuses some, and nothing else asks for them while a
   * person just looks. */
  #loadAgainLater() {
    if (this.#againTimer || this.#pictureFailures === pictureAttempts) return;
    this.#againTimer = window.setTimeout(() => {
      this.#againTimer = 0;
      if (this.viewport.speed === 0) this.render();
    }, 1_000 * 2 ** this.#pictureFailures);
    this.#pictureFailures += 1;
  }

  /** The photos that get elements: those that are seen, and as many of the nearest others as there is room for. Where not
   * even those that are seen have room, the largest of them do, and the one that the keyboard is at. */
  #nearest(/** @type {Photo[]} */ seen, /** @type {Photo[]} */ around, /** @type {number} */ capacity) {
    if (around.length <= capacity) return around;
    // On a map any number of photos may be in one place: the first ones of the stream are shown.
    if (this.opened?.source.isMap) return around.sort((a, b) => a.index - b.index).slice(0, capacity);
    if (seen.length > capacity) {
      const size = (/** @type {Photo} */ { id, width, height }) => this.keyboard.isAt(id) ? Infinity : width * height;
      return seen.sort((a, b) => size(b) - size(a) || a.index - b.index).slice(0, capacity);
    }
    const ids = new Set(seen.map((photo) => photo.id));
    const middle = this.viewport.offset + this.viewport.height / 2;
    const others = around.filter((photo) => !ids.has(photo.id))
      .sort((a, b) => Math.abs(a.y + a.height / 2 - middle) - Math.abs(b.y + b.height / 2 - middle));
    return [...seen, ...others.slice(0, Math.max(0, capacity - seen.length))];
  }

  /** Asks again for pictures, some of which are ready now. */
  refreshPictures() {
    this.#tiles?.refresh();
  }

  /** Tries again at once. */
  retry() {
    this.#tiles?.retry();
    this.#pictureFailures = 0;
    this.render();
  }

  // Updates

  /**
   * Shows the stream as it is now, without moving what is looked at; at the very top, what is new arrives in view.
   *
   * @returns {Promise<boolean>} Whether that was possible; otherwise the layout has to be opened again.
   */
  async update() {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#update();
      } catch (error) {
        // The stream has changed again between two questions.
        if (attempt < 5 && error instanceof OtherRevision) continue;
        throw error;
      }
    }
  }

  async #update() {
    const opened = this.opened;
    // Matches are searched for again.
    if (!opened || opened.source.isMap || opened.source.search !== null || opened.count === 0) return false;
    const { signal } = this.#opening;
    const { source } = opened;
    const { width, height } = this.viewport;
    const start = this.viewport.readOffset();
    const keep = start < 1 ? "offset" : "item";
    const answer = await this.client.updates(source.stream, source.options, {
      since: source.state, rect: { x: 0, y: start, width, height }, keep, signal });
    if (answer.reload) return false;
    if (answer.state === source.state) return true;
    const next = { ...source, revision: answer.revision, state: answer.state };
    const shift = answer.contentOffset - start;
    const tiles = this.#newTiles(next);
    const window = { x: 0, y: Math.max(0, this.viewport.offset + shift), width, height };
    const [whole] = await Promise.all([
      this.client.layout(next.stream, next.options, { limit: 60, signal }), tiles.load(window),
    ]);
    if (whole.state !== next.state) throw new OtherRevision();
    // The person may have scrolled on in the meantime.
    await tiles.load({ ...window, y: Math.max(0, this.viewport.offset + shift) });
    if (signal.aborted || this.opened !== opened) {
      tiles.close();
      return true;
    }
    const offset = this.viewport.readOffset() + shift;
    const before = motion.places(this.cells, this.viewport.offset, height);
    const disappear = motion.prepareToDisappear(this.cells, answer.deletions, this.parts.photos);
    this.#show({
      source: next, contentSize: answer.contentSize, count: whole.count, sections: whole.sections, seed: [],
      world: whole.world,
    }, tiles, offset);
    motion.move(this.cells, before, this.viewport.offset);
    motion.appear(this.cells, answer.insertions);
    disappear(elementLimit - this.parts.plane.querySelectorAll("*").length);
    return true;
  }

  /**
   * Returns how many of these photos are above the window.
   *
   * @param {string[]} ids
   */
  async above(ids) {
    if (!this.opened || ids.length === 0) return [];
    const { stream, options, reader } = this.opened.source;
    const found = [];
    for (let from = 0; from < ids.length; from += 200) {
      const answer = await reader.items(
        stream, options, { ids: ids.slice(from, from + 200) }, { fields: ["photo", "frame"] });
      for (const { photo, frame } of answer.items) {
        if (photo && frame && frame.y + frame.height <= this.viewport.offset) found.push(photo);
      }
    }
    return found;
  }

  /**
   * Returns the position of a photo in the stream; `null` if it is not there.
   *
   * @param {string} id
   */
  async indexOf(id) {
    if (!this.opened) return null;
    const { stream, options, reader } = this.opened.source;
    const { items } = await reader.items(stream, options, { ids: [id] }, { fields: ["index"] });
    return items[0]?.index ?? null;
  }

  /**
   * Returns the position of a photo in the layout that is shown, which the stream may have left behind; of a photo that is not
   * in the window, its position in the stream.
   *
   * @param {string} id
   */
  async shownIndexOf(id) {
    for (const photo of this.#tiles?.photos(this.#window()) ?? []) {
      if (photo.id === id) return photo.index;
    }
    return this.indexOf(id);
  }

  // Places

  /**
   * Scrolls so that a photo can be seen, and returns it.
   *
   * @param {{id: string} | {index: number}} which
   * @param {{atTop?: boolean, isLenient?: boolean}} how Whether it is shown at the top; whether a part of it is enough.
   * @returns {Promise<Photo | null>}
   */
  async reveal(which, { atTop = false, isLenient = false } = {}) {
    const photo = await this.find(which);
    if (!this.opened || !photo) return null;
    const { offset, height } = this.viewport;
    const header = Number(this.opened.source.options.headerSize ?? 8);
    const isSeen = photo.y < offset + height && photo.y + photo.height > offset;
    if (isLenient && isSeen && !this.opened.source.isMap) return photo;
    if (atTop || photo.y < offset + header) this.viewport.scrollTo(photo.y - header);
    else if (photo.y + photo.height > offset + height - 8) {
      // The top of a photo that is higher than the window is seen in any case.
      this.viewport.scrollTo(Math.min(photo.y - header, photo.y + photo.height - height + 8));
    }
    if (this.opened.source.isMap) this.#revealAcross(photo);
    await this.loadAround(0);
    this.render();
    return photo;
  }

  /** Scrolls a map sideways, if it has to be. */
  #revealAcross(/** @type {Photo} */ photo) {
    const { offsetX, width } = this.viewport;
    if (photo.x >= offsetX && photo.x + photo.width <= offsetX + width) return;
    this.parts.scroller.scrollLeft = photo.x + photo.width / 2 - width / 2;
    this.viewport.readOffset();
  }

  /**
   * Returns a photo with its place; `null` if the stream does not have it.
   *
   * @param {{id: string} | {index: number}} which
   */
  async find(which) {
    return this.#known(which) ?? await this.#ask(which);
  }

  #known(/** @type {{id: string} | {index: number}} */ which) {
    if ("id" in which) return this.cells.byID.get(which.id)?.photo ?? null;
    return this.photosAround(2).find((photo) => photo.index === which.index) ?? null;
  }

  async #ask(/** @type {{id: string} | {index: number}} */ which) {
    if (!this.opened) return null;
    const { stream, options, reader } = this.opened.source;
    const question = "id" in which ? { ids: [which.id] } : { from: which.index, count: 1 };
    const { items } = await reader.items(stream, options, question, { fields: firstFields });
    return items.length ? photoOf(items[0]) : null;
  }

  /**
   * Gives a photo the focus, and returns it.
   *
   * @param {{id: string} | {index: number}} which
   * @param {{isLenient?: boolean}} how Whether a photo of which a part is seen may stay where it is.
   */
  async focus(which, { isLenient = false } = {}) {
    const photo = await this.reveal(which, { isLenient }).catch(() => null);
    if (photo) this.keyboard.focus(photo);
    return photo;
  }

  /** The photo that has the focus. */
  get focused() {
    for (const { link, photo } of this.cells.byID.values()) if (link === document.activeElement) return photo;
    return null;
  }

  /**
   * Moves the focus off a photo that is gone, to the one in its place if it can be seen; nothing scrolls.
   *
   * @param {Photo} gone
   */
  leave(gone) {
    const photo = this.#known({ index: clamp(gone.index, 0, this.count - 1) });
    if (photo && this.cells.byID.has(photo.id)) this.keyboard.focus(photo);
    else this.parts.scroller.focus({ preventScroll: true });
    // Only a photo with the focus is kept where it is not wanted.
    this.render();
  }

  /**
   * Returns the known photos in the window and some screens above and below it.
   *
   * @param {number} screens
   */
  photosAround(screens) {
    const { height } = this.viewport;
    return this.#tiles?.photos(this.#window(screens * height, screens * height)) ?? [];
  }

  /**
   * Waits for the photos in the window and some screens above and below it.
   *
   * @param {number} screens
   */
  async loadAround(screens) {
    const { height } = this.viewport;
    await this.#tiles?.load(this.#window(screens * height, screens * height));
  }
}
