// @ts-check
/**
 * The form for the texts of one photo.
 *
 * Only changed members are written, with the validator of the version that the form shows. If the photo has changed since, the
 * form lists the changes, and the person decides.
 */

import { reason } from "./actions.js";
import { stars } from "./dates.js";
import { Problem } from "./photostream.js";
import { text } from "./texts.js";

/** @typedef {{title: string, caption: string, rating: string, tags: string, albums: string}} Values The values of the fields. */
/** @typedef {keyof Values} Name */

/** @type {readonly Name[]} */
const names = ["title", "caption", "rating", "tags", "albums"];
const labels = { title: "Title", caption: "Caption", rating: "Rating", tags: "Tags", albums: "Albums" };
/** Whether a field has one text on each line. */
const isList = (/** @type {Name} */ name) => name === "tags" || name === "albums";

export class Editor {
  #stream = "";
  #id = "";
  /** @type {string | null} */
  #tag = null;
  /** The version that the form edits. @type {Values} */
  #base = { title: "", caption: "", rating: "", tags: "", albums: "" };
  #isBusy = false;

  /** @param {HTMLFormElement} form
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{onSaved: (id: string) => void, onClose: () => void}} handlers */
  constructor(form, client, handlers) {
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (form.querySelector(`.${name}`));
    this.form = form;
    this.client = client;
    this.handlers = handlers;
    this.problem = part("problem");
    this.conflict = part("conflict");
    this.theirs = /** @type {HTMLElement} */ (this.conflict.querySelector("dl"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#save();
    });
    part("cancel").addEventListener("click", () => this.close());
    part("keep").addEventListener("click", () => this.#save());
    part("take").addEventListener("click", () => this.#takeTheirs());
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.#save();
      else return;
      event.preventDefault();
    });
  }

  get isOpen() { return !this.form.hidden; }

  /** Whether the form has unsaved changes; if so, shows a message about them. */
  isHeld() {
    if (!this.isOpen || this.#changed().length === 0) return false;
    this.problem.textContent = text("Save or cancel your changes first.");
    this.problem.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Shows the form for a photo.
   * @param {string} stream
   * @param {string} id */
  async open(stream, id) {
    const { photo, tag } = await this.client.photoWithTag(stream, id);
    [this.#stream, this.#id] = [stream, id];
    this.#begin(photo, tag);
    this.#write(this.#base);
    this.#showProblem(null);
    this.conflict.hidden = true;
    this.form.hidden = false;
    this.#field("title").focus();
  }

  close() {
    if (this.form.hidden) return;
    this.form.hidden = true;
    this.handlers.onClose();
  }

  #begin(/** @type {any} */ photo, /** @type {string | null} */ tag) {
    this.#tag = tag;
    this.#base = valuesOf(photo);
    // A photo can stay rejected, but not become so.
    /** @type {HTMLElement} */ (this.form.querySelector(".rejected")).hidden = this.#base.rating !== "-1";
  }

  #field(/** @type {Name} */ name) {
    const field = /** @type {any} */ (this.form.elements.namedItem(name));
    return /** @type {HTMLInputElement} */ (field instanceof RadioNodeList ? field[0] : field);
  }

  #read() {
    const value = (/** @type {Name} */ name) => /** @type {any} */ (this.form.elements.namedItem(name)).value;
    return /** @type {Values} */ (Object.fromEntries(names.map((name) => [name, value(name)])));
  }

  #write(/** @type {Values} */ values) {
    for (const name of names) /** @type {any} */ (this.form.elements.namedItem(name)).value = values[name];
  }

  /** The fields that the person has changed. */
  #changed() {
    const values = this.#read();
    return names.filter((name) => normal(values[name], name) !== normal(this.#base[name], name));
  }

  async #save() {
    if (this.#isBusy) return;
    const values = this.#read();
    const members = Object.fromEntries(this.#changed().map((name) => [name, member(name, values[name])]));
    if (Object.keys(members).length === 0) return this.close();
    this.#isBusy = true;
    this.form.setAttribute("aria-busy", "true");
    this.#showProblem(null);
    try {
      await this.client.edit(this.#stream, this.#id, members, { ifMatch: this.#tag });
      this.close();
      this.handlers.onSaved(this.#id);
    } catch (error) {
      const isLate = error instanceof Problem && error.status === 412;
      if (isLate) await this.#showConflict().catch((other) => this.#showProblem(other));
      else this.#showProblem(error);
    } finally {
      this.#isBusy = false;
      this.form.removeAttribute("aria-busy");
    }
  }

  /** Shows the changes since the form was opened; the next attempt replaces that version. */
  async #showConflict() {
    const mine = this.#read();
    const before = this.#base;
    const changed = this.#changed();
    const { photo, tag } = await this.client.photoWithTag(this.#stream, this.#id);
    this.#begin(photo, tag);
    const others = names.filter((name) => this.#base[name] !== before[name]);
    listIn(this.theirs, others.map((name) => [text(labels[name]), inWords(name, this.#base[name])]));
    // Fields that only the other person has changed are theirs in any case.
    for (const name of others) if (!changed.includes(name)) mine[name] = this.#base[name];
    this.#write(mine);
    this.conflict.hidden = false;
    this.conflict.focus();
  }

  /** Discards the person's changes of fields that both have changed. */
  #takeTheirs() {
    const values = this.#read();
    const terms = [...this.theirs.querySelectorAll("dt")].map((term) => term.textContent);
    for (const name of names) if (terms.includes(text(labels[name]))) values[name] = this.#base[name];
    this.#write(values);
    this.conflict.hidden = true;
    if (this.#changed().length === 0) {
      this.close();
      this.handlers.onSaved(this.#id);
    } else {
      this.#field("title").focus();
    }
  }

  /** Shows a problem at its field, or above all fields. */
  #showProblem(/** @type {unknown} */ error) {
    const at = error instanceof Problem ? names.find((name) => name === error.parameter) : undefined;
    for (const name of names) {
      const note = /** @type {HTMLElement} */ (this.form.querySelector(`#error-${name}`));
      const field = this.#field(name);
      const isWrong = name === at;
      note.textContent = isWrong ? /** @type {Problem} */ (error).message : "";
      if (isWrong) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
      if (isWrong) field.focus();
    }
    const isGone = error instanceof Problem && error.kind === "unknown-photo";
    this.problem.textContent = error && !at
      ? isGone ? text("This photo has been deleted.") : text("Not saved: {reason}", { reason: reason(error) }) : "";
  }
}

/** @param {any} photo
 * @returns {Values} */
function valuesOf(photo) {
  return {
    title: photo.title ?? "", caption: photo.caption ?? "", rating: photo.rating ? String(photo.rating) : "",
    tags: (photo.tags ?? []).join("\n"), albums: (photo.albums ?? []).join("\n"),
  };
}

/** Returns the content of a field for comparisons: forms change line ends, and spaces around tags and albums have no meaning. */
function normal(/** @type {string} */ value, /** @type {Name} */ name) {
  return isList(name) ? linesOf(value).join("\n") : value.replaceAll("\r\n", "\n");
}

function linesOf(/** @type {string} */ value) {
  return [...new Set(value.split(/\r?\n/).map((line) => line.trim()).filter(Boolean))];
}

function member(/** @type {Name} */ name, /** @type {string} */ value) {
  if (isList(name)) return value.trim() ? linesOf(value) : null;
  if (name === "rating") return value === "" ? null : Number(value);
  return value === "" ? null : value;
}

/** Replaces the rows of a description list.
 * @param {HTMLElement} list
 * @param {[string, string | undefined][]} rows Those without a text are left out. */
export function listIn(list, rows) {
  list.replaceChildren();
  for (const [name, content] of rows) {
    if (!content) continue;
    const term = document.createElement("dt");
    const description = document.createElement("dd");
    term.textContent = name;
    description.textContent = content;
    description.dir = "auto";
    list.append(term, description);
  }
}

function inWords(/** @type {Name} */ name, /** @type {string} */ value) {
  if (value === "") return text("None");
  return name === "rating" ? stars(Number(value)) : isList(name) ? linesOf(value).join(", ") : value;
}
