// @ts-check
/**
 * Drags photos to another place in the order, which a line shows. A mouse drags immediately, a finger after a long press, because
 * it scrolls otherwise.
 */

import { clamp } from "./geometry.js";

/** @typedef {import("./tiles.js").Photo} Photo */

/** The distance after which a press is a drag, in points. */
const dragDistance = 6;
/** The distance from the edge of the window at which it scrolls, and the greatest number of points in a frame. */
const [edge, scrollStep] = [70, 24];
/** The place of the dragged photo relative to the pointer, so that a finger does not cover it. */
const [besideMouse, aboveFinger] = [{ x: 12, y: 12 }, { x: -40, y: -140 }];

/** Ignores the click that ends a drag. */
export function ignoreClick() {
  const stop = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", stop, { capture: true });
  window.setTimeout(() => window.removeEventListener("click", stop, { capture: true }));
}

export class Dragging {
  /** @type {{photo: Photo, item: Element, pointer: number, isTouch: boolean, x: number, y: number,
   *   ghost: HTMLElement | null} | null} */
  #press = null;
  #point = { x: 0, y: 0 };
  /** @type {{photo: Photo, side: "before" | "after"} | null} */
  #target = null;
  #end = new AbortController();

  /** @param {HTMLElement} layer The element of the photos.
   * @param {HTMLElement} line
   * @param {import("./gallery.js").Gallery} gallery
   * @param {{canMove: () => boolean, onMove: (photo: Photo, to: Photo, side: "before" | "after") => void}} handlers */
  constructor(layer, line, gallery, handlers) {
    this.line = line;
    this.gallery = gallery;
    this.handlers = handlers;
    this.layer = layer;
    layer.addEventListener("pointerdown", (event) => this.#pressed(event));
  }

  #isEnabled = false;
  /** Whether photos can be dragged. Otherwise there is no listener that scrolling would have to wait for. */
  get isEnabled() { return this.#isEnabled; }
  set isEnabled(isEnabled) {
    this.#isEnabled = isEnabled;
    if (isEnabled) this.layer.addEventListener("touchmove", this.#touched, { passive: false });
    else this.layer.removeEventListener("touchmove", this.#touched);
  }

  /** Prevents the browser from scrolling after a long press. */
  #touched = (/** @type {TouchEvent} */ event) => {
    if (this.#press && this.gallery.selection.isPressed && event.cancelable) event.preventDefault();
  };

  #pressed(/** @type {PointerEvent} */ event) {
    // A second finger ends a drag.
    this.#stop();
    const isTouch = event.pointerType === "touch";
    const isPlain = (isTouch || event.pointerType === "mouse") && event.isPrimary && event.button === 0
      && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest(".cell > a") : null;
    const photo = link && this.gallery.keyboard.photoOf(event);
    if (!isPlain || !photo || !link.parentElement || !this.#isEnabled || !this.handlers.canMove()) return;
    this.#press = {
      photo, item: link.parentElement, pointer: event.pointerId, isTouch, x: event.clientX, y: event.clientY, ghost: null,
    };
    this.#end = new AbortController();
    const { signal } = this.#end;
    window.addEventListener("pointermove", (move) => this.#moved(move), { signal });
    window.addEventListener("pointerup", () => this.#dropped(), { signal });
    for (const name of ["pointercancel", "blur"]) window.addEventListener(name, () => this.#stop(), { signal });
    window.addEventListener("keydown", (key) => {
      if (key.key !== "Escape" || !this.#press?.ghost) return;
      key.preventDefault();
      key.stopPropagation();
      this.#stop();
    }, { signal, capture: true });
  }

  #moved(/** @type {PointerEvent} */ event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.pointer) return;
    this.#point = { x: event.clientX, y: event.clientY };
    if (!press.ghost) {
      // Until a press is long, the browser scrolls.
      if (press.isTouch && !this.gallery.selection.isPressed) return;
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < dragDistance) return;
      this.#begin();
    }
    this.#show();
  }

  #begin() {
    const press = this.#press;
    if (!press) return;
    const { selection } = this.gallery;
    // The long press has selected the photo.
    if (press.isTouch) selection.toggle(press.photo);
    const { ids } = selection;
    const ghost = /** @type {HTMLElement} */ (press.item.cloneNode(true));
    ghost.inert = true;
    ghost.removeAttribute("role");
    ghost.className = "ghost";
    if (ids.has(press.photo.id) && ids.size > 1) ghost.dataset.count = String(ids.size);
    document.body.append(ghost);
    document.body.classList.add("dragging");
    press.ghost = ghost;
    this.#scroll();
  }

  /** Scrolls while the pointer is at an edge. */
  #scroll() {
    if (!this.#press?.ghost) return;
    const { scroller } = this.gallery.parts;
    const { top, bottom } = scroller.getBoundingClientRect();
    const { y } = this.#point;
    const part = y < top + edge ? (y - top - edge) / edge : y > bottom - edge ? (y - bottom + edge) / edge : 0;
    if (part !== 0) {
      scroller.scrollTop += clamp(part, -1, 1) * scrollStep;
      this.#show();
    }
    window.requestAnimationFrame(() => this.#scroll());
  }

  #show() {
    const press = this.#press;
    if (!press?.ghost) return;
    const { x: right, y: down } = press.isTouch ? aboveFinger : besideMouse;
    press.ghost.style.transform = `translate(${this.#point.x + right}px, ${this.#point.y + down}px)`;
    this.#target = this.#find();
    this.line.hidden = !this.#target;
    if (!this.#target) return;
    const { photo, side } = this.#target;
    const gap = Number(this.gallery.source?.options.interitemSpacing ?? 0);
    const isAtLeft = (side === "before") !== (document.documentElement.dir === "rtl");
    const x = isAtLeft ? photo.x - gap / 2 : photo.x + photo.width + gap / 2;
    this.line.style.height = `${photo.height}px`;
    this.line.style.transform = `translate(${x - 2}px, ${photo.y - this.gallery.view.viewport.base}px)`;
  }

  /** Returns the photo next to the pointer, and the side. */
  #find() {
    const { left, top } = this.gallery.parts.scroller.getBoundingClientRect();
    const x = this.#point.x - left;
    const y = this.#point.y - top + this.gallery.view.viewport.readOffset();
    const outside = (/** @type {number} */ value, /** @type {number} */ from, /** @type {number} */ length) =>
      Math.max(0, from - value, value - from - length);
    let best = null;
    let least = Infinity;
    for (const photo of this.gallery.view.photosAround(0)) {
      const distance = outside(x, photo.x, photo.width) + 3 * outside(y, photo.y, photo.height);
      if (distance < least) [best, least] = [photo, distance];
    }
    if (!best) return null;
    const isAtEnd = (x > best.x + best.width / 2) !== (document.documentElement.dir === "rtl");
    return { photo: best, side: /** @type {"before" | "after"} */ (isAtEnd ? "after" : "before") };
  }

  #dropped() {
    const press = this.#press;
    const target = this.#target;
    this.#stop();
    if (!press?.ghost) return;
    ignoreClick();
    if (target && target.photo.id !== press.photo.id) this.handlers.onMove(press.photo, target.photo, target.side);
  }

  #stop() {
    this.#end.abort();
    // The browser sends no click after a drag.
    if (this.#press?.ghost && this.#press.isTouch) this.gallery.selection.isPressed = false;
    this.#press?.ghost?.remove();
    this.#press = null;
    this.#target = null;
    this.line.hidden = true;
    document.body.classList.remove("dragging");
  }
}
