// @ts-check
/** Live updates: reads a stream's events, or asks for its changes where the server sends none. */

import { Problem, pause } from "./photostream.js";

/** The time between two questions to a server without events, in milliseconds. */
const pollTime = 2_000;
/** The number of changes from which the stream is read again. */
const changeLimit = 100;

export class Live {
  #abort = new AbortController();
  /** The stream that is followed. */
  #stream = "";
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
    // Another layout of the same stream needs no other connection.
    if (stream === this.#stream) return;
    this.stop();
    this.#stream = stream;
    this.#abort = new AbortController();
    this.#follow(stream, since, this.#abort.signal);
  }

  stop() {
    this.#stream = "";
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
      if (signal.aborted) return;
      if (error.kind === "unknown-stream") return handlers.onGone(error);
      await this.#poll(stream, since, signal);
    }
  }

  async #poll(/** @type {string} */ stream, /** @type {number} */ since, /** @type {AbortSignal} */ signal) {
    const { client, handlers } = this;
    let shown = since;
    let isConnected = true;
    while (!signal.aborted) {
      await pause(pollTime, signal);
      try {
        const { revision, changes, reload, complete } = await client.changes(stream, shown, { limit: changeLimit, signal });
        if (!isConnected) handlers.onConnection(true);
        isConnected = true;
        if (reload || complete === false) {
          shown = (await client.stream(stream, { signal })).revision;
          this.#enqueue(signal, () => handlers.onResync(shown));
        } else if (revision !== shown) {
          shown = revision;
          this.#enqueue(signal, () => handlers.onChange(revision, changes ?? []));
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && error.kind === "unknown-stream") return handlers.onGone(error);
        if (isConnected) handlers.onConnection(false);
        isConnected = false;
      }
    }
  }

  #enqueue(/** @type {AbortSignal} */ signal, /** @type {() => Promise<void>} */ work) {
    this.#work = this.#work.then(() => signal.aborted ? undefined : work()).catch(() => {});
  }
}
