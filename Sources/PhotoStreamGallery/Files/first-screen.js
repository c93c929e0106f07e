// @ts-check
/**
 * The first screen: shows the photos of the address before the rest of the page is loaded.
 *
 * The rest is loaded when these photos are shown, or when they take long. It then takes over the gallery.
 */

import { Gallery } from "./gallery.js";
import { client, start } from "./opening.js";
import { anchorOf, fragment } from "./settings.js";

/** The time in milliseconds after which the rest of the page is loaded without the first photos: it shows that they are
 * loading. */
const timeout = 250;

const [scroller, plane, photos, headers, map] = ["scroller", "plane", "photos", "headers", "map"].map(
  (id) => /** @type {HTMLElement} */ (document.getElementById(id)));
const { settings, chosen, early } = start;
const gallery = new Gallery({ scroller, plane, photos, headers, map }, client, early);
document.documentElement.dir = settings.direction;
gallery.handlers.address = (/** @type {{id: string}} */ photo) => fragment({ ...settings, photo: photo.id });
const isShown = chosen.then(({ stream, sections }) =>
  stream !== null && gallery.open({ ...settings, stream, sections }, anchorOf(settings)));
await Promise.race([isShown.catch(() => {}), new Promise((resolve) => setTimeout(resolve, timeout))]);
const { Page } = await import("./main.js");
new Page(gallery, client, { settings, chosen, isShown });
