// @ts-check
/** What a person does to photos, with the way back: deleting, restoring and moving them. */

import { count, photos } from "./dates.js";
import { Problem, pause } from "./photostream.js";

/** The number of requests at once. */
const requestLimit = 6;
/** From as many photos on, a note says that the work goes on. */
const manyPhotos = 40;
/** The number of attempts where the server asks for patience. */
const attemptLimit = 5;
/** The number of actions that can be taken back. */
const undoLimit = 20;

/** @typedef {{stream: string, revert: (focused: Element | null) => Promise<void>}} Done */

export class Actions {
  /** @type {Done[]} */
  #done = [];

  /**
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {import("./toast.js").Toast} toast
   * @param {{onDeleted: (ids: string[]) => Promise<void>,
   *   onRestored: (ids: string[], focused: Element | null) => Promise<void>,
   *   onMoved: (ids: string[], focused: Element | null) => Promise<void>}} handlers Show the stream as it is now. `focused` is
   *   the element that had the focus when the action began.
   */
  constructor(client, toast, handlers) {
    this.client = client;
    this.toast = toast;
    this.handlers = handlers;
  }

  /** Takes back the last action.
   * @param {string} stream The stream that is shown. */
  undo(stream) {
    const last = this.#done.filter((done) => done.stream === stream).at(-1);
    if (last) this.#revert(last);
  }

  /**
   * Deletes photos.
   *
   * @param {string} stream
   * @param {string[]} ids
   * @returns {Promise<string[]>} Those that are gone now.
   */
  async delete(stream, ids) {
    if (ids.length >= manyPhotos) this.toast.show(`Deleting ${photos(ids.length)}…`, { isLasting: true });
    /** Those that were gone before.
     * @type {string[]} */
    const earlier = [];
    const { done, failures } = await each(ids, async (id) => {
      try {
        await this.client.delete(stream, id);
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== "unknown-photo") throw error;
        earlier.push(id);
      }
    });
    const deleted = done.filter((id) => !earlier.includes(id));
    const texts = deleted.length ? [`${photos(deleted.length)} deleted`] : [];
    if (earlier.length) texts.push(`${photos(earlier.length)} had been deleted already`);
    if (failures.length) texts.push(`${photos(failures.length)} could not be deleted: ${reason(failures[0].error)}`);
    if (deleted.length) this.#offer(texts.join("; "), {
      stream, revert: async (focused) => { await this.restore(stream, deleted, focused); },
    });
    else this.toast.show(texts.join("; "));
    if (done.length) await this.handlers.onDeleted(done);
    return done;
  }

  /**
   * Restores deleted photos.
   *
   * @param {string} stream
   * @param {string[]} ids
   * @param {Element | null} focused The element that had the focus when the action began.
   * @returns {Promise<string[]>} Those that are back.
   */
  async restore(stream, ids, focused) {
    if (ids.length >= manyPhotos) this.toast.show(`Restoring ${photos(ids.length)}…`, { isLasting: true });
    const { done, failures } = await each(ids, (id) => this.client.restore(stream, id));
    const texts = done.length ? [`${photos(done.length)} restored`] : [];
    if (failures.length) texts.push(`${photos(failures.length)} could not be restored: ${reason(failures[0].error)}`);
    this.toast.show(texts.join("; "));
    if (done.length) await this.handlers.onRestored(done, focused);
    return done;
  }

  /**
   * Moves photos next to another one.
   *
   * @param {string} stream
   * @param {string[]} ids In the order that they have.
   * @param {{before: string} | {after: string}} where
   * @param {{before: string} | {after: string} | {reset: true} | null} back Where they return to, if that is known.
   */
  async move(stream, ids, where, back) {
    const [first, ...also] = ids;
    const focused = document.activeElement;
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

/**
 * Does something with each of many, a few at a time; again later where the server is busy.
 *
 * @template T
 * @param {T[]} items
 * @param {(item: T) => Promise<unknown>} work
 * @returns {Promise<{done: T[], failures: {item: T, error: unknown}[]}>} Both in the order of the items.
 */
export async function each(items, work) {
  /** @type {(unknown | null)[]} */
  const errors = items.map(() => null);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      for (let attempt = 1; ; attempt += 1) {
        try {
          await work(items[at]);
          break;
        } catch (error) {
          const isBusy = error instanceof Problem && (error.status === 429 || error.status === 503);
          if (!isBusy || attempt === attemptLimit) {
            errors[at] = error ?? new Error();
            break;
          }
          await pause(1_000 * (error.retryAfter ?? 1));
        }
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(requestLimit, items.length) }, worker));
  return {
    done: items.filter((_, at) => errors[at] === null),
    failures: items.flatMap((item, at) => errors[at] === null ? [] : [{ item, error: errors[at] }]),
  };
}

/**
 * Why something did not work, for a sentence that goes on.
 *
 * @param {unknown} error
 */
export function reason(error) {
  if (error instanceof Problem) return error.message;
  return error instanceof TypeError ? "the server does not answer" : "it did not work";
}

/**
 * "3 selected".
 *
 * @param {number} number
 */
export function selected(number) {
  return `${count(number)} selected`;
}
