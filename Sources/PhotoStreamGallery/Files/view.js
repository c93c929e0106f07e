// @ts-check
/**
 * The part of a layout that is in the window: decides which photos have elements, and when tiles and pictures are loaded.
 *
 * It renders after each scroll event and each tile. The faster the window scrolls, the less is shown: above three screens per
 * second only colours, above one only placeholders.
 */

import { Cells } from "./cells.js";
import { Sections } from "./sections.js";
import { Slivers } from "./slivers.js";
import { Viewport } from "./viewport.js";

/** @typedef {import("./tiles.js").Photo} Photo */
/** @typedef {{source: import("./tiles.js").Source, contentSize: {width: number, height: number}, count: number,
 *   sections: import("./photostream.js").Section[], isLost: boolean}} Opened `isLost` is whether the stream lacks the photo at
 *   which it was to be shown. */
/** @typedef {{scroller: HTMLElement, plane: HTMLElement, photos: HTMLElement, map: HTMLElement}} Parts */

/** The speeds, in screens per second, above which only colours and only placeholders are shown. */
const [colorSpeed, placeholderSpeed] = [3, 1];
/** The speed above which tiles are requested only every `flingInterval` milliseconds: most would arrive too late. */
const flingSpeed = 6;
const flingInterval = 60;
/** The number of times that failed pictures are requested again while nothing scrolls, over about a minute. */
const pictureAttempts = 6;

export class View {
  /** @type {Opened | null} */
  opened = null;
  /** @type {import("./tiles.js").Tiles | null} */
  tiles = null;
  #wantedAt = 0;
  #frame = 0;
  #sortTimer = 0;
  #laterTimer = 0;
  #againTimer = 0;
  #pictureFailures = 0;
  /** The priority of the pictures in the window; `null` while none are loaded.
   * @type {"low" | "high" | null} */
  #priority = null;

  /** @param {Parts} parts
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{onScroll: () => void, onRest: () => void, onLeave: () => void, onSort: () => void, onKnown: () => void,
   *   isCurrent: (id: string) => boolean}} handlers `onLeave` is called when the window moves to another place; `onSort` is called when the elements are in the order of the stream; `isCurrent` returns whether the keyboard is at a
   *   photo. */
  constructor(parts, client, handlers) {
    this.parts = parts;
    this.handlers = handlers;
    this.cells = new Cells(parts.photos, client);
    this.cells.onFailure = () => this.#loadAgainLater();
    this.sections = new Sections(parts.photos, client, () => handlers.onKnown());
    this.slivers = new Slivers(parts.photos);
    this.viewport = new Viewport(parts.scroller, parts.plane, {
      onScroll: () => {
        this.render();
        handlers.onScroll();
      },
      onRest: () => {
        this.#pictureFailures = 0;
        this.render();
        handlers.onRest();
        this.#sortLater();
      },
      onLeave: () => handlers.onLeave(),
      onRebase: () => {
        this.cells.base = this.viewport.base;
        this.cells.rebase();
      },
    });
  }

  /** Shows a layout whose first tiles are loaded.
   * @param {Opened} opened
   * @param {import("./tiles.js").Tiles} tiles
   * @param {number} offset */
  show(opened, tiles, offset) {
    const { source } = opened;
    this.tiles?.close();
    this.tiles = tiles;
    if (source.stream !== this.opened?.source.stream) this.cells.clear();
    this.opened = opened;
    this.cells.count = opened.count;
    this.cells.scale = window.devicePixelRatio;
    this.cells.hasCaptions = source.hasCaptions;
    const [, start] = /** @type {number[]} */ (source.options.contentInset);
    this.parts.plane.style.setProperty("--start", `${start}px`);
    this.sections.reset(source, opened.sections);
    this.viewport.setContent(opened.contentSize, offset);
    this.cells.base = this.viewport.base;
    this.render();
    this.cells.rebase();
    this.#sort();
  }

  #sort() {
    this.cells.sort(this.sections.shown);
    this.handlers.onSort();
  }

  /** Removes all photos, for a map.
   * @param {Opened} opened */
  showNothing(opened) {
    this.tiles?.close();
    this.tiles = null;
    this.opened = opened;
    this.cells.clear();
    this.slivers.show([], this.#window(), 0);
    this.sections.reset(opened.source, []);
    this.viewport.setContent(opened.contentSize, 0);
  }

  /** Shows the photos in the window and around it. */
  render() {
    const { tiles, opened, viewport, cells } = this;
    if (!tiles || !opened) return;
    const { height, direction, speed, base } = viewport;
    const isSlow = speed < placeholderSpeed;
    const isFlung = speed > flingSpeed;
    const time = performance.now();
    if (!isFlung || time - this.#wantedAt > flingInterval) {
      this.#wantedAt = time;
      tiles.want(this.#window(), {
        ahead: isFlung ? 0 : 1.5 * height, behind: isFlung ? 0 : height, direction, withTexts: isSlow });
    }
    const seen = tiles.photos(this.#window());
    const [above, below] = direction > 0 ? [0.5, 1.5] : [1.5, 0.5];
    const around = tiles.photos(this.#window(above * height, below * height));
    const backgrounds = tiles.elements(this.#window(0.5 * height, height), "section-background");
    this.sections.show(backgrounds, { base, planeHeight: viewport.planeHeight });
    const photos = this.#nearest(seen, around, cells.makeRoom(this.sections.elementCount));
    cells.show(photos);
    this.slivers.show(seen.filter(({ id }) => !cells.byID.has(id)), this.#window(), base);
    if (speed < colorSpeed && !cells.showPlaceholders(isSlow ? [...seen, ...photos] : seen)) this.#renderAgain();
    if (!isSlow || !this.#priority) return;
    cells.load(seen, this.#priority);
    if (speed === 0 && cells.missing(seen) === 0) cells.load(photos, "low");
    else if (speed === 0) this.#loadOthersLater();
  }

  #window(above = 0, below = 0) {
    const { offset, width, height } = this.viewport;
    return { x: 0, y: offset - above, width, height: height + above + below };
  }

  /** Renders again in the next frame. */
  #renderAgain() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.render();
    });
  }

  /** Shows a tile that has arrived. */
  showTile() {
    this.render();
    this.handlers.onKnown();
    if (this.viewport.speed === 0) this.#sortLater();
  }

  /** Puts the elements into the order of the stream, in a task of its own. */
  #sortLater() {
    this.#sortTimer ||= window.setTimeout(() => {
      this.#sortTimer = 0;
      if (this.viewport.speed > 0) return;
      this.#sort();
    });
  }

  /** Loads the pictures around the window after those in it. */
  #loadOthersLater() {
    this.#laterTimer ||= window.setTimeout(() => {
      this.#laterTimer = 0;
      if (this.viewport.speed === 0) this.cells.load([...this.cells.byID.values()].map((cell) => cell.photo), "low");
    }, 150);
  }

  /** Loads failed pictures again, such as those that a busy server refused: nothing else requests them while the window rests. */
  #loadAgainLater() {
    if (this.#againTimer || this.#pictureFailures === pictureAttempts) return;
    this.#againTimer = window.setTimeout(() => {
      this.#againTimer = 0;
      if (this.viewport.speed === 0) this.render();
    }, 1_000 * 2 ** this.#pictureFailures);
    this.#pictureFailures += 1;
  }

  /** Returns the photos that get elements: those in the window, and the nearest of the others. If there is not even room for
   * those in the window, the largest of them, and the one that the keyboard is at. */
  #nearest(/** @type {Photo[]} */ seen, /** @type {Photo[]} */ around, /** @type {number} */ capacity) {
    if (around.length <= capacity) return around;
    if (seen.length > capacity) {
      const size = (/** @type {Photo} */ { id, width, height }) => this.handlers.isCurrent(id) ? Infinity : width * height;
      return seen.sort((a, b) => size(b) - size(a) || a.index - b.index).slice(0, capacity);
    }
    const ids = new Set(seen.map((photo) => photo.id));
    const middle = this.viewport.offset + this.viewport.height / 2;
    const others = around.filter((photo) => !ids.has(photo.id))
      .sort((a, b) => Math.abs(a.y + a.height / 2 - middle) - Math.abs(b.y + b.height / 2 - middle));
    return [...seen, ...others.slice(0, Math.max(0, capacity - seen.length))];
  }

  /** Updates roles and labels.
   * @param {boolean} isSelecting Whether photos are being selected. */
  describe(isSelecting) {
    this.cells.isSelecting = isSelecting;
    this.sections.isSelecting = isSelecting;
    this.cells.describe();
    this.sections.describe();
  }

  /** The day, month or year at the top of the window; `null` if it is unknown. */
  get dayAtTop() {
    const { offset } = this.viewport;
    if (this.opened?.source.isMap) return null;
    const [first] = this.photosAround(0).filter(({ y, height }) => y + height > offset).sort((a, b) => a.y - b.y || a.index - b.index);
    return this.sections.dayAt(offset) ?? first?.texts?.takenAt ?? null;
  }

  /** Loads pictures from now on. They wait for the modules of the toolbar, which they would delay.
   * @param {"low" | "high"} priority Low until all modules are loaded. */
  loadPictures(priority) {
    this.#priority = priority;
    this.render();
  }

  /** Tries failed requests again at once. */
  retry() {
    this.tiles?.retry();
    this.#pictureFailures = 0;
    this.render();
  }

  /** Returns the known photos in the window and some screens above and below it.
   * @param {number} screens */
  photosAround(screens) {
    const { height } = this.viewport;
    return this.tiles?.photos(this.#window(screens * height, screens * height)) ?? [];
  }

  /** Waits for the photos in the window and some screens above and below it.
   * @param {number} screens */
  async loadAround(screens) {
    const { height } = this.viewport;
    await this.tiles?.load(this.#window(screens * height, screens * height));
  }
}
