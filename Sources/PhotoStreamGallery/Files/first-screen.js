// @ts-check
/**
 * The first screen: shows the photos of the address before the rest of the page is loaded.
 *
 * The rest is requested at the same time, and takes over the gallery. Pictures wait for it: on a slow line they would take its
 * place, and a person would see photos without being able to do anything with them.
 */

import { Gallery } from "./gallery.js";
import { client, start } from "./opening.js";
import { anchorOf, fragment } from "./settings.js";

const rest = import("./main.js");
const [scroller, plane, photos, map] = ["scroller", "plane", "photos", "map"].map(
  (id) => /** @type {HTMLElement} */ (document.getElementById(id)));
const { settings, chosen, early } = start;
const gallery = new Gallery({ scroller, plane, photos, map }, client, early);
document.documentElement.dir = settings.direction;
gallery.handlers.address = (/** @type {{id: string}} */ photo) => fragment({ ...settings, photo: photo.id });
const isShown = chosen.then(({ stream, sections }) =>
  stream !== null && gallery.open({ ...settings, stream, sections }, anchorOf(settings)));
isShown.catch(() => {});
const { Page } = await rest;
new Page(gallery, client, { settings, chosen, isShown });
gallery.view.loadPictures("low");
