// @ts-check
/** Adds pictures, videos and files of records that are dropped on the page or chosen with a button. */

import { count, photos } from "./dates.js";
import { droppedOn, isOtherVideo, picturesIn, rawExtensions, videoExtensions } from "./dropped.js";
import { Problem } from "./photostream.js";
import { UploadProgress } from "./progress.js";
import { Refusal, refusal } from "./refusals.js";
import { sending } from "./sending.js";
import { plural, text } from "./texts.js";

/** The number of pictures that are sent at once; the server accepts only a few from all clients together. */
const requestLimit = 2;
/** The number of files whose failures a note lists. */
const reasonLimit = 100;
/** Problems of the server rather than of one picture: every other picture would fail, too. */
const generalProblems = new Set([
  "uploads-off", "uploads-unavailable", "disk-full", "read-only", "unknown-stream", "token-required", "invalid-token",
  "insufficient-scope",
]);
/** The files that a person can choose in addition to pictures. */
const recordTypes = ".json,.jsonl,.ndjson,.csv";

/** @typedef {{name: string, error: unknown}} Failure */

export class Uploads {
  /** The number of running calls of `add`. */
  #running = 0;
  /** The depth of the elements that a drag of files has entered. */
  #depth = 0;
  #canUpload = false;
  #canEdit = false;

  /**
   * @param {{buttons: HTMLButtonElement[], input: HTMLInputElement, zone: HTMLElement}} elements The buttons in the toolbar and, on
   *   small screens, in its menu; the file input that they open; the element over the page while files are dragged.
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {import("./toast.js").Toast} toast
   * @param {{stream: () => string | null, onAdded: () => Promise<void>, onShow: (id: string) => void}} handlers
   */
  constructor({ buttons, input, zone }, client, toast, handlers) {
    this.buttons = buttons;
    this.input = input;
    this.zone = zone;
    this.client = client;
    this.toast = toast;
    this.handlers = handlers;
    for (const button of buttons) {
      button.addEventListener("click", () => {
        /** @type {any} */ (button.closest(":popover-open"))?.hidePopover();
        this.choose();
      });
    }
    input.addEventListener("change", () => {
      const files = [...input.files ?? []];
      input.value = "";
      void this.add(files);
    });
    // On the whole window: the browser opens files that nothing handles in place of the page.
    window.addEventListener("dragenter", (event) => this.#enter(event));
    window.addEventListener("dragover", (event) => this.#over(event));
    window.addEventListener("dragleave", (event) => {
      if (hasFiles(event)) this.#leave(this.#depth - 1);
    });
    window.addEventListener("drop", (event) => this.#drop(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.#running > 0) event.preventDefault();
    });
  }

  /** Whether anything can be added. */
  get isEnabled() { return this.#canEdit; }

  /** Whether pictures can be added. */
  get takesPictures() { return this.#canUpload; }

  /** Sets what the server allows for the stream that is shown.
   * @param {{canEdit?: boolean, canUpload?: boolean}} stream */
  allow({ canEdit = false, canUpload = false }) {
    this.#canEdit = canEdit;
    this.#canUpload = canEdit && canUpload;
    const words = text("Add photos…");
    for (const button of this.buttons) {
      // Disabled rather than hidden, so that nothing in the toolbar moves.
      button.disabled = !this.#canUpload;
      if (button.firstElementChild) {
        button.title = words;
        button.setAttribute("aria-label", words);
      } else {
        button.textContent = words;
      }
    }
    this.input.accept = this.#canUpload ? `image/*,${[...rawExtensions, ...videoExtensions].join(",")},${recordTypes}` : recordTypes;
  }

  /** Lets a person choose files. */
  choose() {
    this.input.click();
  }

  /** Adds files to the stream that is shown: uploads pictures, and imports files of records.
   * @param {File[]} files
   * @param {FileSystemDirectoryEntry[]} folders Their pictures are added, too. */
  async add(files, folders = []) {
    const stream = this.handlers.stream();
    if (!stream || files.length + folders.length === 0) return;
    this.#running += 1;
    const stop = new AbortController();
    /** @type {Failure[]} */
    const failures = [];
    try {
      if (folders.length) files = [...files, ...await this.#picturesIn(folders, failures)];
      const records = files.filter(isRecords);
      const pictures = files.filter((file) => !isRecords(file));
      const texts = [];
      for (const file of records) texts.push(await this.#import(file, stream, failures, stop.signal));
      const { ids, known } = await this.#send(pictures, stream, failures, stop);
      if (known.length) texts.unshift(text("{photos} already there", { photos: photos(known.length) }));
      if (ids.length) texts.unshift(text("{photos} added", { photos: photos(ids.length) }));
      if (stop.signal.aborted) texts.push(text("Stopped"));
      this.#report(texts.filter(Boolean), failures, [...ids, ...known]);
      if (texts.length) await this.handlers.onAdded();
    } finally {
      this.#running -= 1;
    }
  }

  /** Returns the pictures of folders. */
  async #picturesIn(/** @type {FileSystemDirectoryEntry[]} */ folders, /** @type {Failure[]} */ failures) {
    if (!this.#canUpload) {
      failures.push(...folders.map(({ name }) => ({ name, error: noUploads })));
      return [];
    }
    const [{ name }] = folders;
    const number = folders.length;
    const folder = number > 1 ? plural(number, "{count} folder", "{count} folders", { count: count(number) }) : name;
    this.toast.show(text("Looking for photos in {folder}…", { folder }), { isLasting: true });
    const { files, problems } = await picturesIn(folders);
    this.toast.hide();
    failures.push(...problems.map(({ name: of, why }) => ({ name: of, error: new Refusal(why) })));
    return files;
  }

  /** Imports the records of a file.
   * @returns {Promise<string>} The numbers of records with each outcome; empty if the import failed. */
  async #import(/** @type {File} */ file, /** @type {string} */ stream, /** @type {Failure[]} */ failures,
    /** @type {AbortSignal} */ signal) {
    this.toast.show(text("Importing {file}…", { file: file.name }), { isLasting: true });
    try {
      const report = await this.client.importRecords(stream, file, { signal });
      for (const { line, reason } of report.rejects) {
        failures.push({ name: text("{file}, line {line}", { file: file.name, line: count(line) }), error: new Refusal(reason) });
      }
      const { inserted, updated, rejected } = report;
      const unchanged = report.unchanged + report.duplicate;
      const parts = [
        inserted > 0 ? text("{count} added", { count: count(inserted) }) : "",
        updated > 0 ? text("{count} updated", { count: count(updated) }) : "",
        unchanged > 0 ? text("{count} unchanged", { count: count(unchanged) }) : "",
        rejected > 0 ? text("{count} rejected", { count: count(rejected) }) : "",
      ].filter(Boolean);
      return `${file.name}: ${parts.join(", ") || text("no records")}`;
    } catch (error) {
      failures.push({ name: file.name, error });
      return "";
    }
  }

  /** Uploads pictures, a few at a time, through interruptions of the connection.
   * @returns {Promise<{ids: string[], known: string[]}>} The ids of the new photos, and of those that the stream had. */
  async #send(/** @type {File[]} */ files, /** @type {string} */ stream, /** @type {Failure[]} */ failures,
    /** @type {AbortController} */ stop) {
    /** @type {string[]} */
    const ids = [];
    /** @type {string[]} */
    const known = [];
    /** @type {unknown} */
    let general = this.#canUpload ? null : noUploads;
    let next = 0;
    files = files.filter((file) => {
      if (isOtherVideo(file)) failures.push({ name: file.name, error: otherVideo });
      return !isOtherVideo(file);
    });
    const progress = new UploadProgress(files, this.toast, stop);
    const worker = async () => {
      while (next < files.length && !stop.signal.aborted) {
        const file = files[next];
        next += 1;
        if (general) {
          failures.push({ name: file.name, error: general });
          continue;
        }
        progress.sent(file, 0);
        try {
          const { photo, isNew } = await sending(file, (options) => this.client.addPicture(stream, file, options), {
            signal: stop.signal, onSent: (bytes) => progress.sent(file, bytes),
            onWait: (isWaiting) => progress.wait(file, isWaiting),
          });
          (isNew ? ids : known).push(photo.id);
        } catch (error) {
          if (stop.signal.aborted) return;
          failures.push({ name: file.name, error });
          if (error instanceof Problem && generalProblems.has(error.kind)) general = error;
        }
        progress.ended(file);
      }
    };
    await Promise.all(Array.from({ length: Math.min(requestLimit, files.length) }, worker));
    return { ids, known };
  }

  /** Shows a note with the results, and with the reason of each failure. */
  #report(/** @type {string[]} */ texts, /** @type {Failure[]} */ failures, /** @type {string[]} */ ids) {
    if (failures.length) texts.push(text("{count} could not be added:", { count: count(failures.length) }));
    const lines = failures.slice(0, reasonLimit).map(({ name, error }) => `• ${name}: ${refusal(error)}`);
    if (failures.length > lines.length) lines.push(text("and {count} more", { count: count(failures.length - lines.length) }));
    const words = [texts.join("; "), ...lines].join("\n");
    if (lines.length) {
      this.toast.show(words, { isLasting: true, button: { text: text("Close"), onPress: () => this.toast.hide() } });
    } else {
      this.toast.show(words, ids.length ? { button: { text: text("Show"), onPress: () => this.handlers.onShow(ids[0]) } } : {});
    }
  }

  // Dragging

  #enter(/** @type {DragEvent} */ event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    this.#depth += 1;
    if (!this.isEnabled || this.#depth > 1) return;
    const stream = this.handlers.stream() ?? "";
    this.zone.textContent = this.takesPictures ? text("Drop photos to add them to “{stream}”", { stream })
      : text("Drop a file of records to import it into “{stream}”", { stream });
    /** @type {any} */ (this.zone).showPopover();
  }

  #over(/** @type {DragEvent} */ event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = this.isEnabled ? "copy" : "none";
  }

  #leave(/** @type {number} */ depth) {
    this.#depth = Math.max(0, depth);
    if (this.#depth === 0 && this.zone.matches(":popover-open")) /** @type {any} */ (this.zone).hidePopover();
  }

  #drop(/** @type {DragEvent} */ event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    this.#leave(0);
    if (!this.isEnabled || !event.dataTransfer) return;
    const { files, folders } = droppedOn(event.dataTransfer);
    void this.add(files, folders);
  }
}

const noUploads = new Refusal(text("this stream does not accept pictures"));
const otherVideo = new Refusal(text("videos of this kind cannot be added"));

/** Whether files are dragged rather than a part of the page. */
function hasFiles(/** @type {DragEvent} */ event) {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** Whether a file contains records, judged by its name. */
function isRecords(/** @type {File} */ { name }) {
  return recordTypes.split(",").some((ending) => name.toLowerCase().endsWith(ending));
}
