// @ts-check
/** The note about running uploads: the number of photos and megabytes that are sent, and those of all. */

import { count, megabytes, photos } from "./dates.js";
import { text } from "./texts.js";

/** The shortest time between two changes of the note, in milliseconds. */
const interval = 200;

export class UploadProgress {
  /** The bytes of the finished files. */
  #past = 0;
  #done = 0;
  /** The bytes that are sent of each file that is being uploaded.
   * @type {Map<File, number>} */
  #running = new Map();
  /** The files that wait for the server.
   * @type {Set<File>} */
  #waiting = new Set();
  #changedAt = -Infinity;
  /** @type {HTMLElement | null} */
  #note = null;

  /** @param {File[]} files
   * @param {import("./toast.js").Toast} toast
   * @param {AbortController} stop Aborted by the note's button. */
  constructor(files, toast, stop) {
    this.files = files;
    this.toast = toast;
    this.stop = stop;
    this.total = files.reduce((sum, { size }) => sum + size, 0);
  }

  /** Notes the number of bytes that are sent of a file.
   * @param {File} file
   * @param {number} bytes */
  sent(file, bytes) {
    // The count includes the request's head, so it may exceed the size.
    this.#running.set(file, Math.min(bytes, file.size));
    this.#show();
  }

  /** Notes that a file begins to wait for the server, or no longer waits.
   * @param {File} file
   * @param {boolean} isWaiting */
  wait(file, isWaiting) {
    if (isWaiting) this.#waiting.add(file);
    else this.#waiting.delete(file);
    this.#changedAt = -Infinity;
    this.#show();
  }

  /** Notes that a file is finished, whether it was added or rejected.
   * @param {File} file */
  ended(file) {
    this.#running.delete(file);
    this.#past += file.size;
    this.#done += 1;
    this.#show();
  }

  #show() {
    if (this.stop.signal.aborted) return;
    if (!this.#note?.isConnected) {
      // Another note is not replaced.
      if (this.toast.isShown) return;
      this.#note = this.toast.show(text("Adding {photos}…", { photos: photos(this.files.length) }), {
        isLasting: true, progress: text("Upload progress"), button: { text: text("Stop"), onPress: () => this.stop.abort() },
      });
    } else if (performance.now() - this.#changedAt < interval) return;
    this.#changedAt = performance.now();
    const sent = [...this.#running.values()].reduce((sum, bytes) => sum + bytes, this.#past);
    const done = text("{part} of {whole}", { part: count(this.#done), whole: count(this.files.length) });
    const isWaiting = this.#waiting.size > 0 && this.#waiting.size === this.#running.size;
    // Each fits a line, so that the note keeps its height.
    const words = isWaiting ? text("Waiting for the server · {amount}", { amount: done }) : `${done} · ${megabytes(sent, this.total)}`;
    this.toast.advance(words, this.total > 0 ? sent / this.total : this.#done / this.files.length);
  }
}
