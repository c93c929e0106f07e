// @ts-check
/**
 * A window onto content of any height.
 *
 * Browsers limit the height of an element, and lose fractions of pixels far below the limit. So the scrolled element, the plane,
 * is at most a million points high. It shows the part of the content that begins at `base`. When scrolling rests, the plane is
 * moved around the visible part, which has no visible effect. Within the plane, the browser itself scrolls.
 */

import { clamp } from "./geometry.js";
import { isReduced } from "./motion.js";

/** The greatest height of the plane. */
const planeLimit = 1_000_000;
/** `base` is a multiple of this, which is a whole number of device pixels at every common display scale. */
const baseStep = 1_000;
/** The time without scrolling after which it rests, in milliseconds, unless the browser reports the end. */
const restTime = 120;
/** The distance, in points, up to which a movement is a rounding of the browser. */
const roundingDistance = 1.5;

export class Viewport {
  #size = { width: 0, height: 0 };
  #planeHeight = 0;
  #timer = 0;
  #last = { time: 0, offset: 0 };
  #top = 0;
  /** Whether the next `scrollend` event is that of a step of this class, such as one of many of the scrubber. */
  #isPlaced = false;
  /** The place that the window has without a movement of the person. */
  #held = 0;

  /** @param {HTMLElement} scroller
   * @param {HTMLElement} plane
   * @param {{onScroll: () => void, onRest: () => void, onRebase: () => void, onLeave: () => void}} handlers `onLeave` is called
   *   when the window moves to another place, by the person or a control, rather than because the layout changes. */
  constructor(scroller, plane, handlers) {
    this.scroller = scroller;
    this.plane = plane;
    this.handlers = handlers;
    /** The offset in the content at which the plane begins. */
    this.base = 0;
    /** The speed of scrolling, in screens per second. */
    this.speed = 0;
    /** The direction of the last movement: 1 down, -1 up. */
    this.direction = 1;
    this.width = 0;
    this.height = 0;
    this.measure();
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    scroller.addEventListener("scrollend", () => {
      if (!this.#isPlaced) this.#rest();
      this.#isPlaced = false;
    });
  }

  get planeHeight() { return this.#planeHeight; }
  /** The offset of the window in the content. */
  get offset() { return this.base + this.#top; }

  /** Reads the size of the window. Call this rarely: it makes the browser lay out the page. */
  measure() {
    this.width = this.scroller.clientWidth;
    this.height = this.scroller.clientHeight;
    // The browser moves a window that has become higher than the content below it.
    this.readOffset();
    this.hold();
  }

  /** Notes that the person is at the present place. */
  hold() {
    this.#held = this.offset;
  }

  /** Reads the offset from the browser, which is ahead of the last scroll event by up to a frame. */
  readOffset() {
    this.#top = this.scroller.scrollTop;
    return this.offset;
  }
  get contentSize() { return this.#size; }
  get maximumOffset() { return Math.max(0, this.#size.height - this.height); }

  /** Sets the size of the content, and the offset to show.
   * @param {{width: number, height: number}} size
   * @param {number} offset */
  setContent(size, offset) {
    this.#size = size;
    const { height } = size;
    this.#planeHeight = height <= planeLimit ? height : planeLimit + (height - planeLimit) % baseStep;
    this.plane.style.height = `${this.#planeHeight}px`;
    this.plane.style.width = size.width > this.width ? `${size.width}px` : "";
    this.#place(offset);
    this.readOffset();
    this.hold();
    this.#stop();
  }

  /** Shows an offset.
   * @param {number} offset
   * @param {{smooth?: boolean}} options Scrolling is smooth only within a few screens. */
  scrollTo(offset, { smooth = false } = {}) {
    this.handlers.onLeave();
    const target = clamp(offset, 0, this.maximumOffset);
    const isNear = Math.abs(target - this.offset) < 3 * this.height;
    const top = target - this.base;
    if (smooth && isNear && !isReduced() && top >= 0 && top <= this.#planeHeight - this.height) {
      this.scroller.scrollTo({ top, behavior: "smooth" });
    } else {
      this.#place(target);
      this.handlers.onScroll();
      this.#restLater();
    }
  }

  /** Moves the plane around an offset and scrolls there. */
  #place(/** @type {number} */ offset) {
    const target = clamp(offset, 0, this.maximumOffset);
    const most = Math.max(0, Math.round(this.#size.height - this.#planeHeight));
    const base = clamp(Math.round((target - this.#planeHeight / 2) / baseStep) * baseStep, 0, most);
    if (base !== this.base) {
      this.base = base;
      this.handlers.onRebase();
    }
    this.scroller.scrollTop = target - base;
    this.#isPlaced = true;
    this.readOffset();
    this.#last = { time: performance.now(), offset: this.offset };
  }

  #scrolled() {
    const time = performance.now();
    const offset = this.readOffset();
    const distanceToHeld = Math.abs(offset - this.#held);
    // A resized window is measured later.
    if (distanceToHeld > roundingDistance && this.scroller.clientHeight === this.height) this.handlers.onLeave();
    const seconds = Math.max(0.004, (time - this.#last.time) / 1_000);
    const distance = offset - this.#last.offset;
    if (distance !== 0) this.direction = Math.sign(distance);
    const speed = seconds > 0.3 ? 0 : Math.abs(distance) / seconds / Math.max(1, this.height);
    this.speed = this.speed * 0.5 + speed * 0.5;
    this.#last = { time, offset };
    const top = this.#top;
    const isAtEdge = (top < this.height && this.base > 0)
      || (top > this.#planeHeight - 2 * this.height && offset < this.maximumOffset - 2 * this.height);
    if (isAtEdge && this.#planeHeight < this.#size.height) this.#place(offset);
    this.handlers.onScroll();
    this.#restLater();
  }

  #restLater() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#rest(), restTime);
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#stop();
    const isOff = Math.abs(this.readOffset() - this.base + this.height / 2 - this.#planeHeight / 2) > this.#planeHeight / 4;
    if (isOff && this.#planeHeight < this.#size.height) this.#place(this.offset);
    this.handlers.onRest();
  }

  #stop() {
    this.speed = 0;
    this.#last = { time: performance.now(), offset: this.offset };
  }
}
