// @ts-check
/** Sends pictures through interruptions: after the connection was lost, or while the server is busy, each is sent again. */

import { Problem, pause } from "./photostream.js";

/** The pauses after the first failures, in milliseconds; the last one repeats. */
const pauses = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** The time without any progress after which a request counts as lost, in milliseconds. The last part of it, in which the server
 * decodes the picture, makes no progress, either. */
const stallTime = 120_000;

/** A file that the browser can no longer read. */
export class Unreadable extends Error {}

/** Sends a file again and again, until the server has answered.
 *
 * A request that is lost may have arrived. So `send` has to be one that the server recognizes.
 * @template T
 * @param {File} file
 * @param {(options: {signal: AbortSignal, onSent: (bytes: number) => void}) => Promise<T>} send
 * @param {{signal: AbortSignal, onSent: (bytes: number) => void, onWait: (isWaiting: boolean) => void}} options `onWait` is
 *   called when a pause begins and when it ends.
 * @returns {Promise<T>}
 * @throws Answers of the server that are about the file, `Unreadable`, and the reason of an abort. */
export async function sending(file, send, { signal, onSent, onWait }) {
  for (let failures = 0; ; failures += 1) {
    const attempt = new Attempt(signal);
    try {
      return await send({ signal: attempt.signal, onSent: (bytes) => { attempt.advance(); onSent(bytes); } });
    } catch (error) {
      signal.throwIfAborted();
      if (!attempt.isStalled && !isTemporary(error)) throw error;
      // A browser reports a file that was removed or changed as a lost connection.
      if (!await isReadable(file)) throw new Unreadable();
      onSent(0);
      onWait(true);
      const asked = error instanceof Problem ? 1_000 * (error.retryAfter ?? 0) : 0;
      // Uneven, so that two requests do not return together.
      const time = pauses[Math.min(failures, pauses.length - 1)] * (0.75 + Math.random() / 2);
      await pauseOrConnection(Math.max(asked, time), signal, asked > 0);
      onWait(false);
      signal.throwIfAborted();
    } finally {
      attempt.end();
    }
  }
}

/** One request, which is cancelled when it makes no progress. */
class Attempt {
  #stop = new AbortController();
  #timer = 0;
  #outer;
  isStalled = false;
  #abort = () => this.#stop.abort(this.#outer.reason);

  constructor(/** @type {AbortSignal} */ outer) {
    this.#outer = outer;
    outer.addEventListener("abort", this.#abort);
    if (outer.aborted) this.#abort();
    this.advance();
  }

  get signal() { return this.#stop.signal; }

  advance() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.isStalled = true;
      this.#stop.abort();
    }, stallTime);
  }

  end() {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#abort);
  }
}

/** Whether the same request may succeed later: there was no answer, a proxy server did not reach the server, or it is busy. */
function isTemporary(/** @type {unknown} */ error) {
  if (error instanceof TypeError) return true;
  return error instanceof Problem && [408, 429, 502, 503, 504].includes(error.status) && error.kind !== "uploads-unavailable";
}

/** Waits for a time, or until the device is connected or the page is shown again.
 * @param {number} time In milliseconds.
 * @param {AbortSignal} signal
 * @param {boolean} isAsked Whether the server has asked for the pause, so that it is not cut short. */
async function pauseOrConnection(time, signal, isAsked) {
  const done = new AbortController();
  const end = () => done.abort();
  const shown = () => { if (!document.hidden) end(); };
  signal.addEventListener("abort", end);
  if (!isAsked) {
    window.addEventListener("online", end);
    document.addEventListener("visibilitychange", shown);
  }
  await pause(time, done.signal);
  signal.removeEventListener("abort", end);
  window.removeEventListener("online", end);
  document.removeEventListener("visibilitychange", shown);
}

/** Whether the browser can still read a file. */
async function isReadable(/** @type {File} */ file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
