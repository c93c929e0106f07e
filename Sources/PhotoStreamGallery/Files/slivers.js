// @ts-check
/**
 * The photos for which there is no element, as colours on one canvas.
 *
 * A window may show hundreds of panoramas in narrow columns, or of narrow pictures in low lines. Each is a few points high or
 * wide, so that only its colour is visible.
 */

import { cssColor } from "./placeholders.js";

export class Slivers {
  #canvas = document.createElement("canvas");
  #layer;
  /** @type {import("./tiles.js").Photo[]} */
  #photos = [];
  #top = 0;

  /** @param {HTMLElement} layer The element of the photos. */
  constructor(layer) {
    this.#layer = layer;
    this.#canvas.className = "slivers";
    this.#canvas.setAttribute("aria-hidden", "true");
  }

  /** Shows exactly these photos.
   * @param {import("./tiles.js").Photo[]} photos
   * @param {{y: number, width: number, height: number}} window
   * @param {number} base The offset in the content at which the plane begins. */
  show(photos, { y, width, height }, base) {
    this.#photos = photos;
    if (photos.length === 0) return this.#canvas.remove();
    const context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext("2d"));
    const empty = getComputedStyle(this.#layer).getPropertyValue("--empty");
    this.#top = Math.floor(y);
    // Setting the size clears the canvas.
    Object.assign(this.#canvas, { width: Math.ceil(width), height: Math.ceil(height) + 1 });
    this.#canvas.style.transform = `translateY(${this.#top - base}px)`;
    for (const photo of photos) {
      context.fillStyle = photo.color < 0 ? empty : cssColor(photo.color);
      context.fillRect(photo.x, photo.y - this.#top, photo.width, photo.height - photo.captionExtent);
    }
    if (!this.#canvas.isConnected) this.#layer.append(this.#canvas);
  }

  /** Returns the photo of a click on the canvas.
   * @param {Event} event */
  photoOf(event) {
    if (!(event instanceof MouseEvent) || event.target !== this.#canvas) return null;
    const { left, top } = this.#canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top + this.#top];
    return this.#photos.find((photo) =>
      x >= photo.x && x < photo.x + photo.width && y >= photo.y && y < photo.y + photo.height) ?? null;
  }
}
