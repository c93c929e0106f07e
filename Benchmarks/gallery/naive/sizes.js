// @ts-check
/**
 * A gallery that asks for the sizes of all photos and lays them out in the browser, as galleries with masonic do: photos are
 * placed while the answers arrive, and only those around the window have elements.
 */

import { Cells, Masonry, followScrolling, page, pageLength, photoCount, requestLimit, sizes } from "./common.js";

const scroller = /** @type {HTMLElement} */ (document.querySelector("#scroller"));
const plane = /** @type {HTMLElement} */ (document.querySelector("#plane"));
const masonry = new Masonry(scroller.clientWidth, page.top);
const cells = new Cells();
/** @type {string[]} */
const ids = [];
/** @type {string[]} */
const colors = [];
/** @type {string[]} */
const keys = [];

function render(/** @type {boolean} */ isResting) {
  const { scrollTop, clientHeight } = scroller;
  /** @type {import("./common.js").Placed[]} */
  const photos = [];
  masonry.between(scrollTop - clientHeight / 2, scrollTop + 1.5 * clientHeight, (position, x, y, width, height) => {
    photos.push({ id: ids[position], x, y, width, height, color: colors[position], key: keys[position] });
  });
  cells.show(photos, () => plane, isResting);
}

/** Adds photos, which are the next ones of the stream. */
function add(/** @type {import("./common.js").Item[]} */ items) {
  for (const { photo, pixelWidth, pixelHeight, color, pictureKey } of items) {
    masonry.add(ids.length, pixelWidth / pixelHeight);
    ids.push(photo);
    colors.push(color ?? "#ddd");
    keys.push(pictureKey ?? "");
  }
}

const { signal } = new AbortController();
const count = await photoCount();
/** The answers that have come before an earlier one.
 * @type {Map<number, import("./common.js").Item[]>} */
const waiting = new Map();
let asked = 0;
let shown = 0;

async function ask() {
  while (asked < count) {
    const from = asked;
    asked += pageLength;
    waiting.set(from, await sizes(from, pageLength, signal));
    for (let items = waiting.get(shown); items; items = waiting.get(shown)) {
      waiting.delete(shown);
      shown += pageLength;
      add(items);
      // What is in the window is drawn at once; the height grows with every answer.
      plane.style.height = `${masonry.height + page.bottom}px`;
      render(true);
    }
  }
}

followScrolling(scroller, render);
await Promise.all(Array.from({ length: requestLimit }, ask));
performance.mark("layout");
