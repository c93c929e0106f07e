// @ts-check
/**
 * The events of a stream, read once for all tabs of a browser: it opens at most six HTTP/1.1 connections to a server, and a
 * reader of events keeps one of them for as long as it reads.
 *
 * The tabs that follow a stream ask for one lock. The tab that has it reads the events, and passes them on by a channel.
 * When it closes, crashes or stops following, the browser gives the lock to the next tab, which reads on after the last
 * state that it knows. A tab that has missed something, because it came late or because no tab was reading, notices
 * it by the states, and asks for the changes in between.
 *
 * Locks, channels and the cookie of a session belong to the same site in the same browser, so whatever a tab passes on,
 * the others may read, too.
 */

import { Problem } from "./photostream.js";

/** @typedef {import("./photostream.js").StreamEvent} StreamEvent */
/**
 * @typedef {{kind: "join"} | {kind: "event", event: StreamEvent} | {kind: "connection", isConnected: boolean}
 *   | {kind: "problem", status: number, type: string, detail: string, parameter?: string}} Message `join` asks the reader
 *   where it is; everything else is sent by the reader.
 */

/** The number of changes that are asked for at most, which is that of an event of the server. */
const changeLimit = 100;

export class SharedEvents {
  /** @type {BroadcastChannel | null} */
  #channel = null;
  /** The state that the page shows, and its revision. */
  #state;
  #revision;
  #isReader = false;
  /** Whether another tab has read before this one. */
  #hasFollowed = false;
  #isConnected = false;
  /** Ends when the last event has been handed over.
   * @type {Promise<unknown>} */
  #work = Promise.resolve();

  /**
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {string} stream
   * @param {string} since The state that the page shows.
   * @param {{onEvent: (event: StreamEvent) => void, onConnection: (isConnected: boolean) => void}} handlers
   */
  constructor(client, stream, since, handlers) {
    this.client = client;
    this.stream = stream;
    this.handlers = handlers;
    this.#state = since;
    this.#revision = Number.parseInt(since, 10);
  }

  /**
   * Follows the stream until it is aborted.
   *
   * @param {AbortSignal} signal
   * @throws {Problem} Where there are no events: see `events` of the client. All tabs that follow get it.
   */
  async follow(signal) {
    // Browsers have locks on HTTPS and on this machine only. On plain HTTP from another one, each tab reads by itself.
    if (!navigator.locks) return this.#read(signal);
    // The page of a share sees other events than that of the stream.
    const name = `photostream events ${window.location.pathname} ${this.stream}`;
    const channel = new BroadcastChannel(name);
    const end = new AbortController();
    this.#channel = channel;
    signal.addEventListener("abort", () => end.abort(), { once: true });
    channel.addEventListener("message", ({ data }) => this.#hear(data, end));
    this.#tell({ kind: "join" });
    try {
      await navigator.locks.request(name, { signal: end.signal }, () => this.#read(end.signal));
      // The reader's problem may have come together with the lock.
      if (!signal.aborted) end.signal.throwIfAborted();
    } catch (error) {
      if (signal.aborted) return;
      if (this.#isReader && error instanceof Problem) {
        const { status, kind, message, parameter } = error;
        this.#tell({ kind: "problem", status, type: kind, detail: message, parameter });
      }
      throw error;
    } finally {
      channel.close();
    }
  }

  /** Reads events, for this tab and for the others. */
  async #read(/** @type {AbortSignal} */ signal) {
    this.#isReader = true;
    const onState = (/** @type {string} */ state) => {
      this.#isConnected = state === "connected";
      this.#tell({ kind: "connection", isConnected: this.#isConnected });
      this.handlers.onConnection(this.#isConnected);
    };
    // What the last reader has passed on is handed over first: it says where to begin.
    await this.#work;
    let mayMissPictures = this.#hasFollowed;
    for await (const event of this.client.events(this.stream, { since: this.#state, signal, onState })) {
      this.#share(event, signal);
      // Pictures that became ready between two readers are in no log.
      if (mayMissPictures) this.#share({ event: "pictures", data: {} }, signal);
      mayMissPictures = false;
    }
  }

  #share(/** @type {StreamEvent} */ event, /** @type {AbortSignal} */ signal) {
    this.#tell({ kind: "event", event });
    this.#take(event, signal);
  }

  #tell(/** @type {Message} */ message) {
    this.#channel?.postMessage(message);
  }

  /** Takes a message of another tab. */
  #hear(/** @type {Message} */ message, /** @type {AbortController} */ end) {
    if (message.kind === "join") {
      if (this.#isReader) this.#work = this.#work.then(() => this.#answer());
      return;
    }
    // The last words of the reader before this one: this one reads the same by itself.
    if (this.#isReader || end.signal.aborted) return;
    this.#hasFollowed = true;
    if (message.kind === "event") this.#take(message.event, end.signal);
    else if (message.kind === "connection") this.handlers.onConnection(message.isConnected);
    else end.abort(new Problem(message.status, { ...message, type: `urn:photostream:problem:${message.type}` }));
  }

  /** Tells a tab that has come late where the events are. */
  #answer() {
    if (this.#isConnected) this.#tell({ kind: "connection", isConnected: true });
    this.#tell({ kind: "event", event: { event: "state", data: { revision: this.#revision, state: this.#state } } });
  }

  /** Hands an event over, after those before it. */
  #take(/** @type {StreamEvent} */ event, /** @type {AbortSignal} */ signal) {
    this.#work = this.#work.then(async () => {
      const next = await this.#next(event, signal);
      if (!next || signal.aborted) return;
      this.#revision = next.data.revision ?? this.#revision;
      this.#state = next.data.state ?? this.#state;
      this.handlers.onEvent(next);
    });
  }

  /** Returns what is new in an event, with the changes that were missed before it; `null` if nothing is. */
  async #next(/** @type {StreamEvent} */ event, /** @type {AbortSignal} */ signal) {
    const { revision, state, sinceState = state } = event.data;
    if (revision === undefined || event.event === "resync") return event;
    if (state === this.#state) return null;
    if (sinceState === this.#state) return event;
    // A tab may be ahead of the reader.
    if (revision < this.#revision) return null;
    return this.#missed(event.data, signal);
  }

  /** @returns {Promise<StreamEvent>} */
  async #missed(/** @type {{revision: number, state: string}} */ { revision, state }, /** @type {AbortSignal} */ signal) {
    const answer = await this.client.changes(this.stream, this.#state, { limit: changeLimit, signal }).catch(() => null);
    const isWhole = answer?.changes && answer.complete !== false;
    return isWhole ? { event: "change", data: answer } : { event: "resync", data: { revision, state } };
  }
}
