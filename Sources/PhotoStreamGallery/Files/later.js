// @ts-check
/** The parts of the page that the first moments do not need. Each is loaded once, when the toolbar works or when it is used. */

import { fragment } from "./settings.js";

/** @typedef {import("./tiles.js").Photo} Photo */
/**
 * @typedef {object} Parts
 * @property {import("./photostream.js").PhotoStreamClient} client
 * @property {import("./gallery.js").Gallery} gallery
 * @property {import("./address.js").Address} address
 * @property {import("./news.js").News} news
 * @property {import("./status.js").Status} status
 * @property {import("./toast.js").Toast} toast
 * @property {() => boolean} canMove Returns whether photos can be moved in the layout that is shown.
 * @property {(photo: Photo, to: Photo, side: "before" | "after") => void} onMove
 * @property {(id: string) => void} onDelete
 * @property {(id: string, isArchived: boolean) => void} onArchive
 * @property {() => void} onSignIn
 * @property {(id: string) => Promise<void>} openPhoto
 * @property {(id: string, focused: Element | null, how?: {isLenient?: boolean}) => Promise<void>} focus Gives a photo the focus,
 *   unless the person has moved it.
 * @property {(error: unknown) => void} onFailure
 */

/** The zoom at which the map shows the position of a photo. */
const mapZoom = 10;

const element = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

export class Later {
  /** The dialog for one photo, when it is loaded.
   * @type {import("./lightbox.js").Lightbox | null} */
  lightbox = null;
  /** The parts for editing, when they are loaded.
   * @type {import("./editing.js").Editing | null} */
  editing = null;
  /** @type {Promise<import("./lightbox.js").Lightbox> | null} */
  #photo = null;
  /** @type {Promise<import("./editing.js").Editing> | null} */
  #edit = null;
  /** @type {Promise<import("./signin.js").SignIn> | null} */
  #signIn = null;
  /** @type {Promise<import("./preview.js").Preview> | null} */
  #previewing = null;

  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
  }

  /** Loads everything, and then pictures as fast as possible.
   * @param {Promise<void>} rights Resolves when it is known what can be edited. */
  async loadAll(rights) {
    await Promise.allSettled([rights, this.photo(), this.signIn().then((signIn) => signIn.learn())]);
    this.parts.gallery.view.loadPictures("high");
    if (window.matchMedia("(hover: hover)").matches) await this.#preview();
  }

  /** Loads what plays videos under the pointer. */
  #preview() {
    const { client, gallery } = this.parts;
    return this.#previewing ??= import("./preview.js").then(({ Preview }) => new Preview(gallery.parts, gallery, client));
  }

  /** Loads the dialog for one photo. */
  photo() {
    return this.#photo ??= this.#makeLightbox();
  }

  async #makeLightbox() {
    const { Lightbox } = await import("./lightbox.js");
    const { client, gallery, address, news, status, toast, onDelete, onArchive } = this.parts;
    this.lightbox = new Lightbox(element("lightbox"), client, {
      onShow: (item) => address.replace({ photo: item.photo ?? null }),
      onClose: (item) => {
        address.closePhoto();
        toast.goHome();
        if (item?.photo) void gallery.focus({ id: item.photo }, { isLenient: true });
      },
      announce: (words) => status.announce(words),
      note: (words) => { toast.show(words); },
      thumbnail: (item) => gallery.view.cells.byID.get(item.photo ?? "")?.shown ?? "",
      onDelete,
      onArchive,
      onEdited: () => news.refresh([]),
      onStack: (id, change) => { void this.editing?.actions.changeStack(address.settings.stream ?? "", id, change); },
      // The other layouts then begin at the photo.
      onMap: (photo, middle) => fragment({
        ...address.settings, layout: "map", zoom: mapZoom, middle, search: null, at: photo, offset: 0, photo: null }),
      onSearch: (search) => fragment({ ...address.settings, search, at: null, offset: 0, photo: null }),
    });
    this.lightbox.canEdit = gallery.selection.isEnabled;
    return this.lightbox;
  }

  /** Loads the parts for editing. */
  edit() {
    return this.#edit ??= this.#makeEditing();
  }

  async #makeEditing() {
    const { Editing } = await import("./editing.js");
    const { client, gallery, address, news, toast, canMove, onMove } = this.parts;
    return this.editing = new Editing({
      client, gallery, toast, canMove, onMove,
      stream: () => address.settings.stream,
      onAdded: () => news.refresh([]),
      onDone: this.#handlersOfActions(),
    });
  }

  /** Shows the stream after actions.
   * @returns {import("./editing.js").Parts["onDone"]} */
  #handlersOfActions() {
    const { gallery, news, openPhoto, focus } = this.parts;
    return {
      onDeleted: (ids) => {
        gallery.selection.forget(ids);
        return news.refresh(ids.map((id) => ({ change: /** @type {const} */ ("deleted"), id })));
      },
      onRestored: async (ids, focused) => {
        news.addRestored(ids);
        await news.refresh([]);
        if (this.editing?.deleted.isOpen) return;
        if (this.lightbox?.isOpen) await openPhoto(ids[0]);
        else await focus(ids[0], focused, { isLenient: true });
      },
      onStackChanged: () => news.refresh([]),
      onMoved: async (ids, focused) => {
        await news.refresh([]);
        await focus(ids[0], focused);
      },
    };
  }

  /** Loads the dialog for signing in. */
  signIn() {
    return this.#signIn ??= import("./signin.js").then(({ SignIn }) =>
      new SignIn({ dialog: element("sign-in"), out: element("sign-out") }, this.parts.client, this.parts.onSignIn));
  }

  /** Goes to a place.
   * @param {(going: typeof import("./going.js")) => Promise<void>} go */
  go(go) {
    import("./going.js").then(go).catch(this.parts.onFailure);
  }

  /** Shows the keys. */
  async showKeys() {
    const { showKeys } = await import("./keys.js");
    showKeys(element("keys"));
  }
}
