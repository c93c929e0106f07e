// @ts-check
/** Plays a video in its cell, without sound, while the pointer rests on it: one at a time, and nothing of it stays afterwards. */

import { canPlay, isVideo, unload } from "./videos.js";

/** The time that the pointer rests on a cell before its video plays, in milliseconds. */
const restTime = 500;
const wantsLessMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Preview {
  /** The cell that the pointer is on.
   * @type {Element | null} */
  #item = null;
  /** @type {HTMLVideoElement | null} */
  #video = null;
  #timer = 0;

  /** @param {import("./view.js").Parts} parts
   * @param {import("./gallery.js").Gallery} gallery
   * @param {import("./photostream.js").PhotoStreamClient} client */
  constructor({ photos, scroller }, gallery, client) {
    this.gallery = gallery;
    this.client = client;
    photos.addEventListener("pointerover", (event) => this.#over(event));
    photos.addEventListener("pointerleave", () => this.#stop());
    photos.addEventListener("pointerdown", () => this.#stop());
    scroller.addEventListener("scroll", () => this.#stop(), { passive: true });
    document.addEventListener("visibilitychange", () => this.#stop());
    // A key may open a photo, over this one.
    document.addEventListener("keydown", () => this.#stop());
    gallery.view.cells.onRelease = (item) => {
      if (item === this.#item) this.#stop();
    };
  }

  #over(/** @type {PointerEvent} */ { pointerType, target }) {
    const item = target instanceof Element ? target.closest(".cell") : null;
    if (item === this.#item) return;
    this.#stop();
    // A finger that scrolls is over cells, too.
    if (!item || pointerType !== "mouse") return;
    this.#item = item;
    this.#timer = window.setTimeout(() => this.#play(), restTime);
  }

  #play() {
    const { view: { cells }, source } = this.gallery;
    const cell = [...cells.byID.values()].find(({ item }) => item === this.#item);
    const { texts = null, id = "" } = cell?.photo ?? {};
    if (!cell || !source || !texts || !isVideo(texts) || wantsLessMotion.matches || !canPlay(texts)) return;
    if (document.documentElement.classList.contains("no-originals") || document.querySelector("dialog[open]")) return;
    const video = document.createElement("video");
    Object.assign(video, { muted: true, loop: true, playsInline: true, disablePictureInPicture: true, tabIndex: -1 });
    // The link has the name of the video.
    video.setAttribute("aria-hidden", "true");
    // The poster stays until then.
    video.addEventListener("playing", () => video.classList.add("playing"));
    video.src = this.client.image(source.stream, id);
    this.#video = video;
    cell.link.append(video);
    video.play().catch(() => {
      if (this.#video === video) this.#stop();
    });
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#item = null;
    if (this.#video) unload(this.#video);
    this.#video = null;
  }
}
