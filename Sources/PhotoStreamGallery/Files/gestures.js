// @ts-check
/** Gestures on a picture: pinch and wheel to zoom, drag to pan, swipe to the neighbour, drag down to close. The controls of a video
 * have their own. */

import { clamp } from "./geometry.js";

/** @typedef {{scale: number, x: number, y: number}} View */

/** The distance after which a drag is a swipe, in points. */
const swipeDistance = 60;
const doubleTapTime = 300;
/** The distance after which a press on a video is a drag, and the greatest height of its controls, in points. */
const [dragDistance, controlsHeight] = [10, 96];

export class Gestures {
  /** @type {Map<number, {x: number, y: number}>} */
  #pointers = new Map();
  /** @type {View} */
  #start = { scale: 1, x: 0, y: 0 };
  #origin = { x: 0, y: 0, distance: 1 };
  #lastTap = { time: 0, x: 0, y: 0 };
  #hasPinched = false;

  /** @param {HTMLElement} stage
   * @param {{view: () => View, onView: (view: View) => void, onSwipe: (direction: 1 | -1) => void,
   *   onDismiss: () => void}} handlers */
  constructor(stage, handlers) {
    this.stage = stage;
    this.handlers = handlers;
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    stage.addEventListener("pointerup", (event) => this.#up(event));
    stage.addEventListener("pointercancel", (event) => this.#cancel(event));
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  #down(/** @type {PointerEvent} */ event) {
    if (event.button !== 0 || isOnControls(event)) return;
    // The release of a pointer on a video may have been elsewhere.
    if (event.isPrimary) this.#pointers.clear();
    // A video receives its clicks, which play it.
    if (!(event.target instanceof HTMLVideoElement)) this.stage.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 0) this.#hasPinched = false;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#begin();
  }

  #begin() {
    this.#start = { ...this.handlers.view() };
    this.#origin = this.#middle();
    if (this.#pointers.size > 1) this.#hasPinched = true;
  }

  /** The point between the pointers, and their distance. */
  #middle() {
    const points = [...this.#pointers.values()];
    const first = points[0];
    const second = points[1] ?? first;
    return {
      x: (first.x + second.x) / 2, y: (first.y + second.y) / 2,
      distance: Math.max(1, Math.hypot(first.x - second.x, first.y - second.y)),
    };
  }

  #move(/** @type {PointerEvent} */ event) {
    if (!this.#pointers.has(event.pointerId)) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = this.#middle();
    const start = this.#start;
    if (!this.stage.hasPointerCapture(event.pointerId)) {
      if (Math.hypot(now.x - this.#origin.x, now.y - this.#origin.y) < dragDistance) return;
      this.stage.setPointerCapture(event.pointerId);
    }
    if (this.#pointers.size > 1) {
      this.#zoom(start, start.scale * (now.distance / this.#origin.distance), this.#origin, now);
    } else {
      this.handlers.onView({
        scale: start.scale, x: start.x + now.x - this.#origin.x, y: start.y + now.y - this.#origin.y,
      });
    }
  }

  #up(/** @type {PointerEvent} */ event) {
    if (!this.#pointers.has(event.pointerId)) return;
    this.#pointers.delete(event.pointerId);
    if (this.#pointers.size > 0) {
      this.#begin();
      return;
    }
    const view = this.handlers.view();
    if (view.scale > 1) {
      if (!this.#hasPinched) this.#tap(event);
      return;
    }
    const [across, down] = [view.x, view.y];
    this.handlers.onView({ scale: 1, x: 0, y: 0 });
    if (this.#hasPinched) return;
    if (Math.abs(across) > swipeDistance && Math.abs(across) > Math.abs(down)) this.handlers.onSwipe(across < 0 ? 1 : -1);
    else if (down > swipeDistance * 1.5) this.handlers.onDismiss();
    else this.#tap(event);
  }

  #cancel(/** @type {PointerEvent} */ event) {
    this.#pointers.delete(event.pointerId);
    if (this.handlers.view().scale === 1) this.handlers.onView({ scale: 1, x: 0, y: 0 });
  }

  /** Zooms at the second of two taps: in on their point, or out. */
  #tap(/** @type {PointerEvent} */ event) {
    const { clientX: x, clientY: y, timeStamp: time } = event;
    const last = this.#lastTap;
    this.#lastTap = { time, x, y };
    if (Math.hypot(x - this.#origin.x, y - this.#origin.y) > 8) return;
    if (time - last.time > doubleTapTime || Math.hypot(x - last.x, y - last.y) > 30) return;
    this.#lastTap.time = 0;
    const view = this.handlers.view();
    if (view.scale > 1) this.handlers.onView({ scale: 1, x: 0, y: 0 });
    else this.#zoom(view, 2.5, { x, y }, { x, y });
  }

  #wheel(/** @type {WheelEvent} */ event) {
    event.preventDefault();
    const view = this.handlers.view();
    const point = { x: event.clientX, y: event.clientY };
    this.#zoom(view, view.scale * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), point, point);
  }

  /** Zooms so that one point of the picture moves to another. */
  #zoom(/** @type {View} */ view, /** @type {number} */ scale, /** @type {{x: number, y: number}} */ from,
    /** @type {{x: number, y: number}} */ to) {
    const { left, top, width, height } = this.stage.getBoundingClientRect();
    const next = clamp(scale, 1, 8);
    const factor = next / view.scale;
    const [centreX, centreY] = [left + width / 2, top + height / 2];
    this.handlers.onView(next === 1 ? { scale: 1, x: 0, y: 0 } : {
      scale: next,
      x: to.x - centreX - (from.x - centreX - view.x) * factor,
      y: to.y - centreY - (from.y - centreY - view.y) * factor,
    });
  }
}

/** Whether a press is on the controls of a video, which are at its bottom. */
function isOnControls(/** @type {PointerEvent} */ { target, clientY }) {
  if (!(target instanceof HTMLVideoElement)) return false;
  const { bottom, height } = target.getBoundingClientRect();
  return clientY > bottom - Math.min(controlsHeight, height / 2);
}
