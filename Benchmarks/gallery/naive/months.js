// @ts-check
/**
 * A gallery that asks for the numbers of photos in each month, and for the photos of a month when it is scrolled to, as Immich
 * does. A month that is not known yet has an estimated height; the browser anchors what is in the window when one above
 * it gets its own height.
 */

import { Cells, Masonry, followScrolling, months, page, pageLength, requestLimit, sizes } from "./common.js";

/** The shape that is assumed of photos that are not known yet. */
const usualAspect = 3 / 2;

/** @typedef {{firstIndex: number, count: number, element: HTMLElement, top: number, height: number,
 *   masonry: Masonry | null, items: import("./common.js").Item[], abort: AbortController | null}} Month */

const scroller = /** @type {HTMLElement} */ (document.querySelector("#scroller"));
const plane = /** @type {HTMLElement} */ (document.querySelector("#plane"));
const cells = new Cells();
const width = scroller.clientWidth;
const { columnWidth } = new Masonry(width, 0);

/** @type {Month[]} */
const all = (await months()).map(({ firstIndex, count }) => {
  const element = document.createElement("section");
  element.className = "month";
  const height = Math.ceil(count / page.columns) * (columnWidth / usualAspect + page.spacing);
  element.style.height = `${height}px`;
  return { firstIndex, count, element, top: 0, height, masonry: null, items: [], abort: null };
});
plane.style.padding = `${page.top}px 0 ${page.bottom}px`;
plane.append(...all.map(({ element }) => element));
place();
performance.mark("layout");

/** Computes where each month begins. */
function place() {
  let top = page.top;
  for (const month of all) {
    month.top = top;
    top += month.height;
  }
}

function render(/** @type {boolean} */ isResting) {
  const { scrollTop, clientHeight } = scroller;
  const [low, high] = [scrollTop - clientHeight / 2, scrollTop + 1.5 * clientHeight];
  /** @type {import("./common.js").Placed[]} */
  const photos = [];
  /** @type {Map<string, HTMLElement>} */
  const parents = new Map();
  for (const month of all) {
    const isNear = month.top < high && month.top + month.height > low;
    if (!isNear) {
      month.abort?.abort();
      continue;
    }
    if (!month.masonry && !month.abort) void load(month);
    month.masonry?.between(low - month.top, high - month.top, (position, x, y, width, height) => {
      const { photo, color = "#ddd", pictureKey = "" } = month.items[position];
      photos.push({ id: photo, x, y, width, height, color, key: pictureKey });
      parents.set(photo, month.element);
    });
  }
  cells.show(photos, ({ id }) => /** @type {HTMLElement} */ (parents.get(id)), isResting);
}

/** Asks for the photos of a month, and gives it its own height. */
async function load(/** @type {Month} */ month) {
  const { signal } = (month.abort = new AbortController());
  try {
    /** @type {import("./common.js").Item[][]} */
    const answers = [];
    let asked = 0;
    const ask = async () => {
      while (asked < month.count) {
        const from = asked;
        asked += pageLength;
        answers[from / pageLength] = await sizes(month.firstIndex + from, Math.min(pageLength, month.count - from), signal);
      }
    };
    await Promise.all(Array.from({ length: requestLimit }, ask));
    const masonry = new Masonry(width, 0);
    month.items = answers.flat();
    for (const [position, { pixelWidth, pixelHeight }] of month.items.entries()) {
      masonry.add(position, pixelWidth / pixelHeight);
    }
    month.masonry = masonry;
    month.height = masonry.height + page.spacing;
    month.element.style.height = `${month.height}px`;
    place();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    month.abort = null;
  }
  render(true);
}

followScrolling(scroller, render);
render(true);
