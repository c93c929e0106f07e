// @ts-check
/** The note about uploads that are on their way: how many photos, and how much of how many megabytes is sent. */

import { count, megabytes, photos } from "./dates.js";

/** The shortest time between two changes of the note, in milliseconds. */
const interval = 200;

export class UploadProgress {
  /** The bytes of the files that are done with. */
  #past = 0;
  #done = 0;
  /** The bytes that are sent of the files that are on their way.
   * @type {Map<File, number>} */
  #running = new Map();
  #changedAt = -Infinity;
  /** @type {HTMLElement | null} */
  #note = null;

  /**
   * @param {File[]} files
   * @param {import("./toast.js").Toast} toast
   * @param {AbortController} stop Aborted by the note's button.
   */
  constructor(files, toast, stop) {
    this.files = files;
    this.toast = toast;
    this.stop = stop;
    this.total = files.reduce((sum, { size }) => sum + size, 0);
  }

  /** Takes note of the bytes that are sent of a file.
   * @param {File} file
   * @param {number} bytes */
  sent(file, bytes) {
    // With the head of the request, it would be more than there is.
    this.#running.set(file, Math.min(bytes, file.size));
    this.#show();
  }

  /** Takes note that a file is done with, be it added or refused.
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
      // Another note stays until it is over.
      if (this.toast.isShown) return;
      this.#note = this.toast.show(`Adding ${photos(this.files.length)}…`, {
        isLasting: true, progress: "Sent", button: { text: "Stop", onPress: () => this.stop.abort() },
      });
    } else if (performance.now() - this.#changedAt < interval) return;
    this.#changedAt = performance.now();
    const sent = [...this.#running.values()].reduce((sum, bytes) => sum + bytes, this.#past);
    const words = `${count(this.#done)} of ${count(this.files.length)} · ${megabytes(sent, this.total)}`;
    this.toast.advance(words, this.total > 0 ? sent / this.total : this.#done / this.files.length);
  }
}
