// @ts-check
/** Moves the map: drag to pan, wheel and pinch to zoom at a point, double click to zoom in, arrow keys, + and -. */

import { ignoreClick } from "./dragging.js";
import { isReduced } from "./motion.js";

/** @typedef {{x: number, y: number}} Point In the window. */
/** @typedef {{onPan: (x: number, y: number) => void, onZoom: (levels: number, point: Point) => void,
 *   onStep: (step: number, point?: Point) => void, onTouch: () => void}} Handlers `onZoom` is called for parts of a level, `onStep`
 *   for whole ones, and `onTouch` when a gesture begins, which ends movements. */

/** The distance after which a press is a drag, in points. */
const dragDistance = 4;
/** The distance of the wheel that zooms by one level; a pinch on a touchpad turns it with Ctrl, by less. */
const [wheelStep, pinchStep] = [240, 60];
/** The distance of an arrow key, in points. */
const keyStep = 120;
/** The part of its speed that a thrown map keeps each millisecond, and the speed at which it stops, in points a millisecond. */
const [friction, leastSpeed] = [0.995, 0.05];

export class MapGestures {
  /** @type {Map<number, Point>} */
  #pointers = new Map();
  #start = { x: 0, y: 0 };
  #isDrag = false;
  #last = { time: 0, x: 0, y: 0 };
  #speed = { x: 0, y: 0 };
  #throw = 0;

  /** @param {HTMLElement} window
   * @param {Handlers} handlers */
  constructor(window, handlers) {
    this.window = window;
    this.handlers = handlers;
    window.addEventListener("pointerdown", (event) => this.#pressed(event));
    window.addEventListener("pointermove", (event) => this.#moved(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
      window.addEventListener(name, (event) => this.#released(event));
    }
    // Not passive: otherwise the browser would scroll or zoom the page.
    window.addEventListener("wheel", (event) => this.#turned(event), { passive: false });
    window.addEventListener("dblclick", (event) => {
      if (!(event.target instanceof Element && event.target.closest("button"))) handlers.onStep(1, this.#point(event));
    });
    window.addEventListener("keydown", (event) => this.#typed(event));
  }

  #point(/** @type {{clientX: number, clientY: number}} */ { clientX, clientY }) {
    const { left, top } = this.window.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  #pressed(/** @type {PointerEvent} */ event) {
    if (event.button !== 0) return;
    cancelAnimationFrame(this.#throw);
    this.handlers.onTouch();
    this.#pointers.set(event.pointerId, this.#point(event));
    if (this.#pointers.size === 1) {
      this.#isDrag = false;
      this.#start = this.#point(event);
    } else {
      this.#drag(event);
    }
    this.#speed = { x: 0, y: 0 };
    this.#last = { time: event.timeStamp, ...this.#middle() };
  }

  /** From now on the press is a drag, also outside the window. */
  #drag(/** @type {PointerEvent} */ event) {
    this.#isDrag = true;
    this.window.setPointerCapture(event.pointerId);
    document.body.classList.add("dragging");
  }

  /** The point between the pointers, and their distance. */
  #middle() {
    const points = [...this.#pointers.values()];
    const first = points[0] ?? this.#start;
    const second = points[1] ?? first;
    return { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2, distance: Math.hypot(first.x - second.x, first.y - second.y) };
  }

  #moved(/** @type {PointerEvent} */ event) {
    if (!this.#pointers.has(event.pointerId)) return;
    const before = this.#middle();
    const point = this.#point(event);
    if (!this.#isDrag) {
      if (Math.hypot(point.x - this.#start.x, point.y - this.#start.y) < dragDistance) return;
      this.#drag(event);
    }
    this.#pointers.set(event.pointerId, point);
    const now = this.#middle();
    this.handlers.onPan(now.x - before.x, now.y - before.y);
    if (this.#pointers.size > 1 && before.distance > 1 && now.distance > 1) {
      this.handlers.onZoom(Math.log2(now.distance / before.distance), now);
    }
    const time = Math.max(1, event.timeStamp - this.#last.time);
    this.#speed = { x: (now.x - this.#last.x) / time, y: (now.y - this.#last.y) / time };
    this.#last = { time: event.timeStamp, x: now.x, y: now.y };
  }

  #released(/** @type {PointerEvent} */ event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (this.#pointers.size > 0) {
      this.#last = { time: event.timeStamp, ...this.#middle() };
      this.#speed = { x: 0, y: 0 };
      return;
    }
    document.body.classList.remove("dragging");
    if (!this.#isDrag) return;
    ignoreClick();
    if (event.pointerType === "touch" && event.timeStamp - this.#last.time < 50 && !isReduced()) this.#glide();
  }

  /** Lets the map glide on after a throw. */
  #glide() {
    let time = performance.now();
    const step = () => {
      const passed = performance.now() - time;
      time += passed;
      this.handlers.onPan(this.#speed.x * passed, this.#speed.y * passed);
      const kept = friction ** passed;
      this.#speed = { x: this.#speed.x * kept, y: this.#speed.y * kept };
      if (Math.hypot(this.#speed.x, this.#speed.y) > leastSpeed) this.#throw = requestAnimationFrame(step);
    };
    this.#throw = requestAnimationFrame(step);
  }

  #turned(/** @type {WheelEvent} */ event) {
    event.preventDefault();
    this.handlers.onTouch();
    const distance = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);
    const levels = -distance / (event.ctrlKey && Math.abs(event.deltaY) < 50 ? pinchStep : wheelStep);
    this.handlers.onZoom(Math.max(-1, Math.min(1, levels)), this.#point(event));
  }

  #typed(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.handlers.onPan(keyStep, 0), ArrowRight: () => this.handlers.onPan(-keyStep, 0),
      ArrowUp: () => this.handlers.onPan(0, keyStep), ArrowDown: () => this.handlers.onPan(0, -keyStep),
      "+": () => this.handlers.onStep(1), "=": () => this.handlers.onStep(1), "-": () => this.handlers.onStep(-1),
    });
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
