// @ts-check
/**
 * The player of a video on the whole screen. In place of one that the browser does not play, its poster stays, with the reason and
 * a link to the file.
 */

import { text } from "./texts.js";
import { canPlay, codecName, unload } from "./videos.js";

export class Player {
  /** @type {HTMLVideoElement | null} */
  #video = null;
  /** What the person has chosen for all videos while the page is open. */
  #sound = { muted: true, volume: 1 };

  /** @param {HTMLElement} refusal The element of the reason and the link. */
  constructor(refusal) {
    this.refusal = refusal;
    this.words = /** @type {HTMLElement} */ (refusal.querySelector("p"));
    this.link = /** @type {HTMLAnchorElement} */ (refusal.querySelector("a"));
  }

  get isPlaying() { return this.#video !== null && !this.#video.paused; }

  /** Shows the player over the poster, or the reason why there is none.
   * @param {HTMLElement} frame The element of the poster.
   * @param {import("./videos.js").Video} item
   * @param {{address: string, poster: string, name: string, onFailure: () => void}} about `poster` may be empty; `onFailure` is
   *   called if the browser gives up. */
  show(frame, item, { address, poster, name, onFailure }) {
    this.leave();
    if (document.documentElement.classList.contains("no-originals") || !canPlay(item)) return this.refuse(item, address);
    const video = document.createElement("video");
    Object.assign(video, { controls: true, playsInline: true, preload: "metadata", ...this.#sound });
    if (poster) video.poster = poster;
    video.setAttribute("aria-label", name);
    video.addEventListener("volumechange", () => {
      if (this.#video === video) this.#sound = { muted: video.muted, volume: video.volume };
    });
    video.addEventListener("error", () => {
      if (this.#video !== video) return;
      this.leave();
      onFailure();
    });
    video.src = address;
    this.#video = video;
    frame.append(video);
  }

  /** Plays the film of a motion photo over its picture, which is back afterwards.
   * @param {HTMLElement} frame The element of the picture.
   * @param {{address: string, name: string}} about */
  playOver(frame, about) {
    // Its codec is not known before.
    this.show(frame, {}, { ...about, poster: "", onFailure: () => this.refuse({}, about.address) });
    const video = this.#video;
    video?.addEventListener("ended", () => { if (this.#video === video) this.leave(); });
    this.toggle();
  }

  /** Plays the video, or pauses it.
   * @returns {boolean} Whether there is one. */
  toggle() {
    const video = this.#video;
    if (video?.paused) video.play().catch(() => {});
    else video?.pause();
    return video !== null;
  }

  /** Ends the video. */
  leave() {
    if (this.#video) unload(this.#video);
    this.#video = null;
    this.refusal.hidden = true;
  }

  /** Shows why a video is not played.
   * @param {import("./videos.js").Video} item
   * @param {string} address The file. */
  refuse({ codec }, address) {
    const isShown = !document.documentElement.classList.contains("no-originals");
    this.words.textContent = !isShown ? text("The videos of this link are shown as pictures.")
      : codec ? text("This browser cannot play {codec}. Videos are not converted; the file can be downloaded.", { codec: codecName(codec) })
        : text("This browser cannot play this video. Videos are not converted; the file can be downloaded.");
    this.link.hidden = !isShown;
    this.link.href = address;
    this.refusal.hidden = false;
  }
}
