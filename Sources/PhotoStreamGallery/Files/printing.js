// @ts-check
/** Prints the photos that the window shows: those around it, which wait for scrolling, are left out. */

/** Prepares the photos for printing, and restores them afterwards.
 * @param {HTMLElement} scroller The part of the window with photos.
 * @param {HTMLElement} photos The element of the photos. */
export function preparePrinting(scroller, photos) {
  window.addEventListener("beforeprint", () => {
    const view = scroller.getBoundingClientRect();
    const isShown = [...photos.children].map((cell) => {
      const { top, bottom, left, right } = cell.getBoundingClientRect();
      return bottom > view.top && top < view.bottom && right > view.left && left < view.right;
    });
    isShown.forEach((shown, at) => photos.children[at].classList.toggle("out-of-view", !shown));
  });
  window.addEventListener("afterprint", () => {
    for (const cell of photos.children) cell.classList.remove("out-of-view");
  });
}
