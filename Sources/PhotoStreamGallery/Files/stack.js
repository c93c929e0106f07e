// @ts-check
/** The photos of a stack below the open one. A press shows one of them in place of the cover. */

import { count } from "./dates.js";
import { text } from "./texts.js";
import { isVideo } from "./videos.js";

/** @typedef {import("./photostream.js").PlacedPhoto} Item */

/** The size of the thumbnails. */
const thumbnailSize = 240;
/** The extensions of pictures that a camera or program has made of raw files. */
const picture = /\.(jpe?g|jfif|png|webp|gif|avif|hei[cf]|jxl|tiff?)$/i;
/** The names of edited versions. */
const editedName = /(-edited|\bIMG_E\d|PORTRAIT-01\.COVER)[^/]*$/i;

export class Stack {
  /** The photo that layouts show, and the one that is shown now.
   * @type {Item | null} */
  #cover = null;
  #shown = "";
  /** The buttons, one for each photo of the stack, and the photos when they are loaded.
   * @type {HTMLButtonElement[]} */
  #buttons = [];
  /** @type {Item[]} */
  #members = [];

  /** @param {HTMLElement} row
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{onShow: (member: Item) => void, onChange: (id: string, change: "makeCover" | "takeApart") => void}} handlers */
  constructor(row, client, handlers) {
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (row.querySelector(`.${name}`));
    this.row = row;
    this.client = client;
    this.handlers = handlers;
    this.list = part("members");
    this.first = part("first");
    this.first.addEventListener("click", () => handlers.onChange(this.#shown, "makeCover"));
    part("apart").addEventListener("click", () => handlers.onChange(this.#shown, "takeApart"));
  }

  /** Shows the row of a stack, whose size is known before its photos are loaded; none for a photo that is in no stack.
   * @param {Item} cover
   * @param {Item} shown The photo of the stack that is shown. */
  show(cover, shown) {
    const number = cover.stackCount ?? 1;
    const isSame = cover.stack === this.#cover?.stack && number === this.#buttons.length;
    [this.#cover, this.#shown] = [cover, shown.photo ?? ""];
    this.row.hidden = number < 2;
    if (!isSame || number < 2) {
      this.#members = [];
      this.#buttons = number < 2 ? [] : Array.from({ length: number }, (_, at) => this.#button(at));
      this.list.replaceChildren(...this.#buttons);
    }
    this.#mark();
  }

  /** Requests the photos of the stack that is shown. Without them, there is no row.
   * @param {string} stream
   * @param {AbortSignal} signal
   * @returns {Promise<Item[]>} The cover first; none without a stack. */
  async load(stream, signal) {
    const cover = this.#cover;
    if (this.row.hidden || !cover) return [];
    const { photos = [] } = await this.client.stack(stream, cover.photo ?? "", { signal }).catch(() => ({ photos: [] }));
    if (this.#cover !== cover || signal.aborted) return [];
    this.row.hidden = photos.length === 0;
    // The stack may have changed since its size was requested; a change of the stream shows it again.
    this.#members = photos.map(itemOf).slice(0, this.#buttons.length);
    for (const [at, member] of this.#members.entries()) this.#describe(this.#buttons[at], member, { at, stream });
    this.#mark();
    return this.#members;
  }

  #button(/** @type {number} */ at) {
    const button = document.createElement("button");
    const image = new Image();
    image.alt = "";
    image.draggable = false;
    image.loading = "lazy";
    button.type = "button";
    button.disabled = true;
    button.append(image, document.createElement("span"));
    button.addEventListener("click", () => {
      const member = this.#members[at];
      if (member) this.handlers.onShow(member);
    });
    return button;
  }

  #describe(/** @type {HTMLButtonElement} */ button, /** @type {Item} */ member, { at = 0, stream = "" }) {
    const [image, words] = button.children;
    const name = kindOf(member);
    button.disabled = false;
    button.setAttribute("aria-label", `${name}, ${text("{part} of {whole}", {
      part: count(at + 1), whole: count(this.#buttons.length) })}`);
    words.textContent = name;
    button.style.setProperty("--color", member.color ?? "");
    const address = member.pictureKey ? this.client.thumbnail(member.pictureKey, thumbnailSize)
      : member.location ? this.client.image(stream, member.photo ?? "", thumbnailSize) : "";
    if (image.getAttribute("src") === (address || null)) return;
    if (address) image.setAttribute("src", address);
    else image.removeAttribute("src");
  }

  /** Marks the photo that is shown. */
  #mark() {
    for (const [at, button] of this.#buttons.entries()) {
      const isShown = this.#members[at]?.photo === this.#shown;
      button.setAttribute("aria-pressed", String(isShown));
    }
    this.first.hidden = this.#shown === this.#cover?.photo;
  }
}

/** Returns the name of what a photo is in its stack. A share may hide the name of its file; then the cover is the edited version
 * or picture.
 * @param {Item} member
 * @returns {string} */
export function kindOf({ photo = "", stackKind, stackRank, location, duration }) {
  const isFirst = !location && stackRank === undefined;
  const isPicture = isFirst || picture.test(location ?? "");
  const isEdited = isFirst || editedName.test(location ?? photo);
  if (isVideo({ duration })) return text(stackKind === "live" ? "Live film" : "Video");
  if (stackKind === "edited") return text(isEdited ? "Edited" : "Original");
  if (stackKind === "raw" && !isPicture) return text("Raw");
  return text(stackKind === "burst" ? "Burst" : "Photo");
}

/** Makes an item of a photo as lists have it, whose size is the one of the file.
 * @param {any} photo
 * @returns {Item} */
function itemOf({ id, width, height, orientation = 1, picture, stackCount: _, ...photo }) {
  const [pixelWidth, pixelHeight] = orientation > 4 ? [height, width] : [width, height];
  const { key: pictureKey, placeholder = photo.placeholder, color = photo.color } = picture ?? {};
  return { ...photo, photo: id, pixelWidth, pixelHeight, pictureKey, placeholder, color };
}
