// @ts-check
/** Animations from one layout to the next. Nothing moves if the system is set to reduced motion. */

const timing = { duration: 260, easing: "cubic-bezier(0.2, 0, 0, 1)" };
const wantsLess = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{x: number, y: number, width: number, height: number}} Frame */
/** @typedef {import("./cells.js").Cells} Cells */

export const isReduced = () => wantsLess.matches;

/** Returns the frames of the photos in the window, before they change.
 * @param {Cells} cells
 * @param {number} offset
 * @param {number} height
 * @returns {Map<string, Frame>} */
export function places(cells, offset, height) {
  const map = new Map();
  if (isReduced()) return map;
  for (const [id, { photo }] of cells.byID) {
    const y = photo.y - offset;
    if (y < height && y + photo.height > 0) map.set(id, { x: photo.x, y, width: photo.width, height: photo.height });
  }
  return map;
}

/** Moves photos from their former frames in the window to the current ones.
 * @param {Cells} cells
 * @param {Map<string, Frame>} before
 * @param {number} offset The offset of the window now. */
export function move(cells, before, offset) {
  for (const [id, from] of before) {
    const cell = cells.byID.get(id);
    if (!cell) continue;
    const { photo, item } = cell;
    const y = photo.y - offset;
    const isSame = from.x === photo.x && Math.abs(from.y - y) < 0.01 && from.width === photo.width
      && from.height === photo.height;
    if (isSame) continue;
    const shift = offset - cells.base;
    cell.animation = item.animate([keyframe(from, shift), keyframe({ ...photo, y }, shift)], timing);
  }
}

/** Shows new photos, beginning with their initial attributes.
 * @param {Cells} cells
 * @param {import("./photostream.js").Update[]} insertions */
export function appear(cells, insertions) {
  if (isReduced()) return;
  for (const { photo, initial } of insertions) {
    const cell = photo === undefined ? undefined : cells.byID.get(photo);
    if (!cell || !initial) continue;
    cell.animation = cell.item.animate(
      [{ ...keyframe(initial.frame, -cells.base), opacity: initial.alpha },
        { ...keyframe(cell.photo, -cells.base), opacity: 1 }], timing);
  }
}

/** Prepares copies of the elements of deleted photos, which disappear with their final attributes.
 * @param {Cells} cells
 * @param {import("./photostream.js").Update[]} deletions
 * @param {HTMLElement} layer
 * @returns {(room: number) => void} Starts the animation after the new layout is shown, given the number of elements for
 *   which there is room. */
export function prepareToDisappear(cells, deletions, layer) {
  if (isReduced()) return () => {};
  const ghosts = deletions.flatMap(({ photo, final }) => {
    const cell = photo === undefined ? undefined : cells.byID.get(photo);
    if (!cell || !final) return [];
    const ghost = /** @type {HTMLElement} */ (cell.item.cloneNode(true));
    ghost.inert = true;
    ghost.removeAttribute("role");
    return [{ ghost, final }];
  });
  return (room) => {
    let left = room;
    for (const { ghost, final } of ghosts) {
      left -= ghost.querySelectorAll("*").length + 1;
      if (left < 0) return;
      layer.append(ghost);
      const frame = keyframe(final.frame, -cells.base);
      ghost.style.transform = frame.transform;
      const animation = ghost.animate([{ opacity: 1 }, { opacity: final.alpha }], timing);
      animation.addEventListener("finish", () => ghost.remove());
      animation.addEventListener("cancel", () => ghost.remove());
    }
  };
}

/** @param {Frame} frame
 * @param {number} shift */
function keyframe({ x, y, width, height }, shift) {
  return { transform: `translate(${x}px, ${y + shift}px)`, width: `${width}px`, height: `${height}px` };
}
