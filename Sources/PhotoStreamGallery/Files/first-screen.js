// @ts-check
/**
 * The first screen: shows the photos of the address before the modules are there that let a person do something with them.
 *
 * The rest of the page is loaded once these photos are seen, or when they take long, and takes the gallery over.
 */

import { Gallery } from "./gallery.js";
import { client, start } from "./opening.js";
import { fragment } from "./settings.js";

/** @typedef {import("./settings.js").Settings} Settings */

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The time in milliseconds after which the rest of the page does not wait for the first photos any more: it says that they
 * are on their way. */
const patience = 250;

/** @type {Gallery} */
export const gallery = new Gallery(
  {
    scroller: element("scroller"), plane: element("plane"), photos: element("photos"), headers: element("headers"),
    world: element("world"),
  },
  client);

/** Returns the photo at which an address has its window.
 * @param {Settings} settings
 * @returns {import("./gallery.js").Anchor | null} */
export function anchorOf({ at, offset, across }) {
  return at ? { id: at, index: 0, offset, across } : null;
}

/** @type {{chosen: Promise<import("./opening.js").Chosen>, isShown: Promise<boolean>} | null} */
let first = (() => {
  const { settings, chosen } = start;
  document.documentElement.dir = settings.direction;
  gallery.handlers.address = (photo) => fragment({ ...settings, photo: photo.id });
  const isShown = chosen.then(({ stream, sections }) =>
    stream !== null && gallery.open({ ...settings, stream, sections }, anchorOf(settings)));
  const wait = new Promise((resolve) => setTimeout(resolve, patience));
  void Promise.race([isShown.catch(() => {}), wait]).then(() => import("./main.js"));
  return { chosen, isShown };
})();

/**
 * Returns what the first screen was opened with and whether it is shown, once and if it is that of these settings.
 *
 * @param {Settings} settings
 */
export function takeFirst(settings) {
  const taken = first;
  first = null;
  return taken && fragment(settings) === fragment(start.settings) ? taken : null;
}
