// @ts-check
/** Live updates: reads a stream's events, and hands them on one after the other. */

import { Problem } from "./photostream.js";

export class Live {
  #abort = new AbortController();
  /** @type {Promise<void>} */
  #work = Promise.resolve();

  /**
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{onChange: (revision: number, changes: import("./photostream.js").Change[]) => Promise<void>,
   *   onResync: (revision: number) => Promise<void>, onPictures: () => void,
   *   onConnection: (isConnected: boolean) => void, onGone: (error: Problem) => void}} handlers
   */
  constructor(client, handlers) {
    this.client = client;
    this.handlers = handlers;
  }

  /**
   * Follows a stream.
   *
   * @param {string} stream
   * @param {number} since
   */
  start(stream, since) {
    this.stop();
    this.#abort = new AbortController();
    this.#follow(stream, since, this.#abort.signal);
  }

  stop() {
    this.#abort.abort();
  }

  async #follow(/** @type {string} */ stream, /** @type {number} */ since, /** @type {AbortSignal} */ signal) {
    const { handlers } = this;
    const onState = (/** @type {string} */ state) => handlers.onConnection(state === "connected");
    try {
      for await (const { event, data } of this.client.events(stream, { since, signal, onState })) {
        if (event === "pictures") handlers.onPictures();
        if (event === "change") this.#enqueue(signal, () => handlers.onChange(data.revision, data.changes ?? []));
        // A state later than the one that is shown is one whose changes are not known.
        if (event === "resync" || event === "state") this.#enqueue(signal, () => handlers.onResync(data.revision));
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // Of a server without events, the page shows what it has, and notices changes when it asks for more.
      if (error.kind === "unknown-stream" && !signal.aborted) handlers.onGone(error);
    }
  }

  #enqueue(/** @type {AbortSignal} */ signal, /** @type {() => Promise<void>} */ work) {
    this.#work = this.#work.then(() => signal.aborted ? undefined : work()).catch(() => {});
  }
}
