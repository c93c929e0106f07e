// @ts-check
/** Dragging photos with the mouse to another place in the order: a line shows where they will be. */

/** @typedef {import("./tiles.js").Photo} Photo */

/** The distance after which a press is a drag, in points. */
const dragDistance = 6;
/** The distance from the edge of the window at which it scrolls, and the greatest number of points in a frame. */
const [edge, scrollStep] = [70, 24];

/** Has the click that ends a drag do nothing. */
export function ignoreClick() {
  const stop = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", stop, { capture: true });
  window.setTimeout(() => window.removeEventListener("click", stop, { capture: true }));
}

export class Dragging {
  /** @type {{photo: Photo, item: Element, x: number, y: number, ghost: HTMLElement | null} | null} */
  #press = null;
  #point = { x: 0, y: 0 };
  /** @type {{photo: Photo, side: "before" | "after"} | null} */
  #target = null;
  #end = new AbortController();

  /**
   * @param {HTMLElement} layer The element of the photos.
   * @param {HTMLElement} line
   * @param {import("./gallery.js").Gallery} gallery
   * @param {{canMove: () => boolean, onMove: (photo: Photo, to: Photo, side: "before" | "after") => void}} handlers
   */
  constructor(layer, line, gallery, handlers) {
    this.line = line;
    this.gallery = gallery;
    this.handlers = handlers;
    layer.addEventListener("pointerdown", (event) => this.#pressed(event));
  }

  #pressed(/** @type {PointerEvent} */ event) {
    const isPlain = event.pointerType === "mouse" && event.button === 0
      && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest(".cell > a") : null;
    const photo = link && this.gallery.keyboard.photoOf(event);
    if (!isPlain || !photo || !link.parentElement || !this.handlers.canMove()) return;
    this.#press = { photo, item: link.parentElement, x: event.clientX, y: event.clientY, ghost: null };
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
    if (!press) return;
    this.#point = { x: event.clientX, y: event.clientY };
    if (!press.ghost) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < dragDistance) return;
      this.#begin();
    }
    this.#show();
  }

  #begin() {
    const press = this.#press;
    if (!press) return;
    const { ids } = this.gallery.selection;
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
      scroller.scrollTop += Math.max(-1, Math.min(1, part)) * scrollStep;
      this.#show();
    }
    window.requestAnimationFrame(() => this.#scroll());
  }

  #show() {
    const press = this.#press;
    if (!press?.ghost) return;
    press.ghost.style.transform = `translate(${this.#point.x + 12}px, ${this.#point.y + 12}px)`;
    this.#target = this.#find();
    this.line.hidden = !this.#target;
    if (!this.#target) return;
    const { photo, side } = this.#target;
    const gap = Number(this.gallery.source?.options.interitemSpacing ?? 0);
    const isAtLeft = (side === "before") !== (document.documentElement.dir === "rtl");
    const x = isAtLeft ? photo.x - gap / 2 : photo.x + photo.width + gap / 2;
    this.line.style.height = `${photo.height}px`;
    this.line.style.transform = `translate(${x - 2}px, ${photo.y - this.gallery.viewport.base}px)`;
  }

  /** The photo next to the pointer, and its side. */
  #find() {
    const { left, top } = this.gallery.parts.scroller.getBoundingClientRect();
    const x = this.#point.x - left;
    const y = this.#point.y - top + this.gallery.viewport.readOffset();
    const outside = (/** @type {number} */ value, /** @type {number} */ from, /** @type {number} */ length) =>
      Math.max(0, from - value, value - from - length);
    let best = null;
    let least = Infinity;
    for (const photo of this.gallery.photosAround(0)) {
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
    this.#press?.ghost?.remove();
    this.#press = null;
    this.#target = null;
    this.line.hidden = true;
    document.body.classList.remove("dragging");
  }
}
