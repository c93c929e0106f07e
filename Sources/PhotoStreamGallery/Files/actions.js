// @ts-check
/** Deletes, restores and moves photos, and offers to undo it. */

import { count, photos } from "./dates.js";
import { Problem, pause } from "./photostream.js";

/** The number of requests at once. */
const requestLimit = 6;
/** The number of photos from which a note shows that the action is running. */
const manyPhotos = 40;
/** The number of attempts if the server is busy. */
const attemptLimit = 5;
/** The number of actions that can be undone. */
const undoLimit = 20;

/** @typedef {import("./photostream.js").PlacedPhoto} PlacedPhoto */
/** @typedef {{before: string} | {after: string}} Neighbour */
/** @typedef {{stream: string, revert: (focused: Element | null) => Promise<void>}} Done */

export class Actions {
  /** @type {Done[]} */
  #done = [];

  /** @param {import("./photostream.js").PhotoStreamClient} client
   * @param {import("./toast.js").Toast} toast
   * @param {{onDeleted: (ids: string[]) => Promise<void>,
   *   onRestored: (ids: string[], focused: Element | null) => Promise<void>,
   *   onMoved: (ids: string[], focused: Element | null) => Promise<void>}} handlers Show the current state of the stream.
   *   `focused` is the element that had the focus when the action began. */
  constructor(client, toast, handlers) {
    this.client = client;
    this.toast = toast;
    this.handlers = handlers;
  }

  /** Undoes the last action.
   * @param {string} stream The stream that is shown. */
  undo(stream) {
    const last = this.#done.filter((done) => done.stream === stream).at(-1);
    if (last) this.#revert(last);
  }

  /** Deletes photos.
   * @param {string} stream
   * @param {string[]} ids
   * @returns {Promise<string[]>} The photos that are deleted now. */
  async delete(stream, ids) {
    if (ids.length >= manyPhotos) this.toast.show(`Deleting ${photos(ids.length)}…`, { isLasting: true });
    /** The photos that were already deleted.
     * @type {string[]} */
    const earlier = [];
    const { done, errors } = await each(ids, async (id) => {
      try {
        await this.client.delete(stream, id);
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== "unknown-photo") throw error;
        earlier.push(id);
      }
    });
    const deleted = done.filter((id) => !earlier.includes(id));
    const texts = deleted.length ? [`${photos(deleted.length)} deleted`] : [];
    if (earlier.length) texts.push(`${photos(earlier.length)} already deleted`);
    if (errors.length) texts.push(`${photos(errors.length)} could not be deleted: ${reason(errors[0])}`);
    if (deleted.length) this.#offer(texts.join("; "), {
      stream, revert: async (focused) => { await this.restore(stream, deleted, focused); },
    });
    else this.toast.show(texts.join("; "));
    if (done.length) await this.handlers.onDeleted(done);
    return done;
  }

  /** Restores deleted photos.
   * @param {string} stream
   * @param {string[]} ids
   * @param {Element | null} focused The element that had the focus when the action began.
   * @returns {Promise<string[]>} The restored photos. */
  async restore(stream, ids, focused) {
    if (ids.length >= manyPhotos) this.toast.show(`Restoring ${photos(ids.length)}…`, { isLasting: true });
    const { done, errors } = await each(ids, (id) => this.client.restore(stream, id));
    const texts = done.length ? [`${photos(done.length)} restored`] : [];
    if (errors.length) texts.push(`${photos(errors.length)} could not be restored: ${reason(errors[0])}`);
    this.toast.show(texts.join("; "));
    if (done.length) await this.handlers.onRestored(done, focused);
    return done;
  }

  /** Moves photos next to another one.
   * @param {import("./tiles.js").Source} source The layout that is shown.
   * @param {import("./tiles.js").Photo} photo The photo that was moved.
   * @param {string[]} ids All photos that move, in the order of the stream.
   * @param {Neighbour} where */
  async move(source, photo, ids, where) {
    const { stream } = source;
    const [first, ...also] = ids;
    const focused = document.activeElement;
    const back = await this.#wayBack(source, photo, ids);
    try {
      await this.client.move(stream, first, { ...where, also });
    } catch (error) {
      this.toast.show(`${photos(ids.length)} could not be moved: ${reason(error)}`);
      return;
    }
    if (!back) this.toast.show(`${photos(ids.length)} moved`);
    else this.#offer(`${photos(ids.length)} moved`, {
      stream,
      revert: async (focusedThen) => {
        try {
          await this.client.move(stream, first, { ...back, also });
          this.toast.show(`${photos(ids.length)} moved back`);
        } catch (error) {
          this.toast.show(`${photos(ids.length)} could not be moved back: ${reason(error)}`);
        }
        await this.handlers.onMoved(ids, focusedThen);
      },
    });
    await this.handlers.onMoved(ids, focused);
  }

  /** Returns the move that undoes a move: in an order by date to the place of the date, in a manual one to the neighbour of a
   * single photo, if it has one.
   * @param {import("./tiles.js").Source} source
   * @param {import("./tiles.js").Photo} photo
   * @param {string[]} ids
   * @returns {Promise<Neighbour | {reset: true} | null>} */
  async #wayBack({ stream, options, reader }, photo, ids) {
    if ((await this.client.stream(stream)).order !== "manual") return { reset: true };
    if (ids.length > 1) return null;
    const around = { from: Math.max(0, photo.index - 1), count: 3 };
    const { items } = await reader.items(stream, options, around, { fields: ["photo", "index"] });
    const isBefore = (/** @type {PlacedPhoto} */ { index = 0 }) => index < photo.index;
    const others = items.filter((item) => item.photo !== photo.id);
    const neighbour = others.find(isBefore) ?? others[0];
    if (neighbour?.photo === undefined) return null;
    return isBefore(neighbour) ? { after: neighbour.photo } : { before: neighbour.photo };
  }

  #offer(/** @type {string} */ text, /** @type {Done} */ done) {
    this.#done.push(done);
    if (this.#done.length > undoLimit) this.#done.shift();
    this.toast.show(text, { undo: () => this.#revert(done) });
  }

  #revert(/** @type {Done} */ done) {
    if (!this.#done.includes(done)) return;
    this.#done = this.#done.filter((other) => other !== done);
    this.toast.hide();
    void done.revert(document.activeElement);
  }
}

/** Does something with each of many items, a few at a time.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => Promise<unknown>} work
 * @returns {Promise<{done: T[], errors: unknown[]}>} Both in the order of the items. */
async function each(items, work) {
  /** @type {unknown[]} */
  const errors = items.map(() => null);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      await retrying(() => work(items[at])).catch((error) => { errors[at] = error ?? new Error(); });
    }
  };
  await Promise.all(Array.from({ length: Math.min(requestLimit, items.length) }, worker));
  return { done: items.filter((_, at) => errors[at] === null), errors: errors.filter((error) => error !== null) };
}

/** Does something, and again later if the server is busy.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} */
async function retrying(work) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof Problem && [429, 503].includes(error.status) && error.kind !== "uploads-unavailable";
      if (!isBusy || attempt === attemptLimit) throw error;
      await pause(1_000 * (error.retryAfter ?? 1));
    }
  }
}

/** The reason of a failure, to end a sentence with.
 * @param {unknown} error */
export function reason(error) {
  if (error instanceof Problem) return error.message;
  return error instanceof TypeError ? "the server did not respond" : "something went wrong";
}

/** "3 selected".
 * @param {number} number */
export function selected(number) {
  return `${count(number)} selected`;
}
