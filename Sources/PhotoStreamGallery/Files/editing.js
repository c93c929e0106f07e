// @ts-check
/** The parts of the page that add, delete, move and restore photos. They are loaded when the rest of the page works. */

import { Actions } from "./actions.js";
import { DeletedPhotos } from "./deleted.js";
import { Dragging } from "./dragging.js";
import { Uploads } from "./uploads.js";

/** @typedef {import("./tiles.js").Photo} Photo */
/**
 * @typedef {object} Parts
 * @property {import("./photostream.js").PhotoStreamClient} client
 * @property {import("./gallery.js").Gallery} gallery
 * @property {import("./toast.js").Toast} toast
 * @property {ConstructorParameters<typeof Actions>[2]} onDone Shows the state of the stream after an action.
 * @property {() => string | null} stream Returns the stream that is shown.
 * @property {() => boolean} canMove Returns whether photos can be moved in the layout that is shown.
 * @property {(photo: Photo, to: Photo, side: "before" | "after") => void} onMove
 * @property {() => Promise<void>} onAdded
 */

const element = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

export class Editing {
  /** @param {Parts} parts */
  constructor({ client, gallery, toast, onDone, stream, canMove, onMove, onAdded }) {
    this.actions = new Actions(client, toast, onDone);
    this.uploads = new Uploads(
      { buttons: [element("add"), element("add-in-menu")], input: element("files"), zone: element("dropzone") }, client, toast,
      { stream, onAdded, onShow: (id) => { void gallery.focus({ id }, { isLenient: true }); } });
    this.deleted = new DeletedPhotos(element("deleted"), element("show-deleted"), client, {
      stream,
      onRestore: (of, ids) => this.actions.restore(of, ids, document.activeElement),
      onClose: (id) => {
        toast.goHome();
        if (id !== null) void gallery.focus({ id }, { isLenient: true });
        else /** @type {HTMLElement} */ (document.querySelector("[popovertarget=view]")).focus();
      },
    });
    this.dragging = new Dragging(element("photos"), element("drop"), gallery, { canMove, onMove });
  }

  /** Sets what the server allows for the stream that is shown; a kept view takes no photos of its own.
   * @param {{canEdit: boolean, canUpload: boolean, canMove: boolean}} rights */
  allow(rights) {
    this.uploads.allow({ ...rights, canEdit: rights.canMove });
    this.dragging.isEnabled = rights.canMove;
  }
}
