// @ts-check
/** The dialog that lists the keys. */

import { text } from "./texts.js";

/** The keys and what they do, for photos among others and for one on the whole screen. */
const groups = [
  { title: "Among photos", rows: [
    ["← → ↑ ↓", "To the next photo in that direction"], ["Page Up, Page Down", "A screen up or down"],
    ["Home, End", "To the first or last photo"], ["Enter", "Open the photo"], ["/", "Search"],
    ["Escape", "Close a menu, end a selection, then a search"], ["?", "Show these keys"],
  ] },
  { title: "On the map", rows: [["← → ↑ ↓", "Move the map"], ["+ −", "Zoom in or out"]] },
  { title: "Editing", isEditing: true, rows: [
    ["Space", "Select the photo, or no longer"], ["Shift with arrow keys", "Select everything on the way"],
    ["Ctrl A", "Select all photos"], ["a", "Archive the selected photos, or this one"],
    ["Del", "Delete the selected photos, or this one"],
    ["Ctrl Z", "Undo the last deletion, move or archiving"], ["Alt with arrow keys", "Move the photo, or the selected ones"],
  ] },
  { title: "On one photo", rows: [
    ["← →", "To the previous or next photo"], ["Space", "Play or pause the video"], ["+ − 0", "Zoom in, out, and to the whole picture"],
    ["i", "Information"], ["f", "Mark as a favourite, or no longer"], ["e", "Edit"], ["Escape", "Close the photo"],
  ] },
];

/** Opens the dialog.
 * @param {HTMLDialogElement} dialog */
export function showKeys(dialog) {
  const list = /** @type {HTMLElement} */ (dialog.querySelector(".keys"));
  if (!list.firstChild) {
    list.append(...groups.map(groupOf));
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
    // A click outside it.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }
  if (!dialog.open) dialog.showModal();
}

/** Makes the element of a group. */
function groupOf(/** @type {typeof groups[0]} */ { title, rows, isEditing = false }) {
  const section = document.createElement("section");
  section.classList.toggle("edits", isEditing);
  const heading = document.createElement("h3");
  heading.textContent = text(title);
  const list = document.createElement("dl");
  for (const [key, action] of rows) {
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = text(key);
    description.textContent = text(action);
    list.append(term, description);
  }
  section.append(heading, list);
  return section;
}
