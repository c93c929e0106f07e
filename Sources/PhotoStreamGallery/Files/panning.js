// @ts-check
/** Moves a map with the mouse: drag to pan; the wheel with Ctrl, or a pinch on a touchpad, to zoom. Browsers pan by touch. */

import { ignoreClick } from "./dragging.js";

/** The distance after which a press is a drag, in points. */
const dragDistance = 4;
/** The distance of the wheel that zooms the map by one level. */
const wheelStep = 100;

export class Panning {
  /** The distance of the wheel since the zoom last changed. */
  #wheel = 0;

  /** @param {HTMLElement} scroller
   * @param {{isMap: () => boolean, onZoom: (levels: number) => void}} handlers */
  constructor(scroller, handlers) {
    this.scroller = scroller;
    this.handlers = handlers;
    scroller.addEventListener("pointerdown", (event) => this.#pressed(event));
    // Not passive: otherwise the browser would zoom the page.
    scroller.addEventListener("wheel", (event) => this.#turned(event), { passive: false });
  }

  #pressed(/** @type {PointerEvent} */ event) {
    const isPlain = event.pointerType === "mouse" && event.button === 0 && !event.shiftKey && !event.ctrlKey && !event.metaKey;
    // The scroll bar is outside the client area.
    const isInside = event.offsetX < this.scroller.clientWidth || event.target !== this.scroller;
    if (!isPlain || !isInside || !this.handlers.isMap()) return;
    const start = { x: event.clientX, y: event.clientY };
    const { scrollLeft, scrollTop } = this.scroller;
    let isDrag = false;
    const end = new AbortController();
    const { signal } = end;
    window.addEventListener("pointermove", (move) => {
      const [x, y] = [move.clientX - start.x, move.clientY - start.y];
      if (!isDrag && Math.hypot(x, y) < dragDistance) return;
      isDrag = true;
      document.body.classList.add("dragging");
      this.scroller.scrollLeft = scrollLeft - x;
      this.scroller.scrollTop = scrollTop - y;
    }, { signal });
    for (const name of ["pointerup", "pointercancel", "blur"]) {
      window.addEventListener(name, () => {
        end.abort();
        document.body.classList.remove("dragging");
        if (isDrag) ignoreClick();
      }, { signal });
    }
  }

  #turned(/** @type {WheelEvent} */ event) {
    if (!event.ctrlKey || !this.handlers.isMap()) return;
    event.preventDefault();
    this.#wheel -= event.deltaY;
    const levels = Math.trunc(this.#wheel / wheelStep);
    if (levels === 0) return;
    this.#wheel = 0;
    this.handlers.onZoom(Math.sign(levels));
  }
}
