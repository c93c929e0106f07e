// @ts-check
/** What is dropped on the page: files, and the pictures in folders. */

/** The number of pictures that are taken from folders at once. */
export const pictureLimit = 10_000;
/** The number of files and folders that are looked at for them. */
const entryLimit = 100_000;
/** Folders that programs and file systems put next to pictures, as the server leaves them out. */
const otherFolders = new Set(["@eaDir", "#recycle", "lost+found", "$RECYCLE.BIN"]);
/** The extensions of pictures that browsers have no type for. */
export const rawExtensions = [
  ".dng", ".cr2", ".cr3", ".crw", ".nef", ".arw", ".raf", ".orf", ".rw2", ".mrw", ".pef", ".heic", ".heif", ".avif",
];
/** The types of images that are no photos. */
const otherTypes = new Set(["image/svg+xml", "image/x-icon", "image/vnd.microsoft.icon"]);

/**
 * @typedef {object} Dropped
 * @property {File[]} files The files, and the pictures of the folders.
 * @property {{name: string, why: string}[]} problems What was left out, and why.
 */

/**
 * Takes note of what is dropped; has to be called while the event is handled.
 *
 * @param {DataTransfer} data
 * @returns {{files: File[], folders: FileSystemDirectoryEntry[]}}
 */
export function droppedOn(data) {
  /** @type {File[]} */
  const files = [];
  /** @type {FileSystemDirectoryEntry[]} */
  const folders = [];
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry?.isDirectory) folders.push(/** @type {FileSystemDirectoryEntry} */ (entry));
    else if (file) files.push(file);
  }
  return { files, folders };
}

/**
 * Finds the pictures in folders and those within them, in the order of their names. Hidden files, and files that are no
 * pictures, are left out.
 *
 * @param {FileSystemDirectoryEntry[]} folders
 * @returns {Promise<Dropped>}
 */
export async function picturesIn(folders) {
  /** @type {File[]} */
  const files = [];
  /** @type {{name: string, why: string}[]} */
  const problems = [];
  let looked = 0;
  for (const root of folders) {
    const before = files.length;
    let isComplete = true;
    // The last one is looked into next.
    const waiting = [root];
    for (let folder = waiting.pop(); folder && isComplete; folder = waiting.pop()) {
      const entries = await entriesOf(folder).catch(() => null);
      if (!entries) {
        problems.push({ name: folder.fullPath.slice(1), why: "the folder cannot be read" });
        continue;
      }
      const inner = entries.filter((entry) => entry.isDirectory && !isOther(entry.name));
      waiting.push(.../** @type {FileSystemDirectoryEntry[]} */ (inner.reverse()));
      for (const entry of entries) {
        looked += 1;
        isComplete = looked <= entryLimit && files.length < pictureLimit;
        if (!isComplete) break;
        if (!entry.isFile || entry.name.startsWith(".")) continue;
        const file = await fileOf(/** @type {FileSystemFileEntry} */ (entry)).catch(() => null);
        if (!file) problems.push({ name: entry.fullPath.slice(1), why: "the file cannot be read" });
        else if (isPicture(file)) files.push(file);
      }
    }
    if (!isComplete) problems.push({ name: root.name, why: "the folder has too many files; the rest of it was left out" });
    else if (files.length === before) problems.push({ name: root.name, why: "there are no pictures in this folder" });
  }
  return { files, problems };
}

/** Whether a file is a picture, by its type or its name. */
function isPicture(/** @type {File} */ { name, type }) {
  if (type.startsWith("image/")) return !otherTypes.has(type);
  return rawExtensions.some((ending) => name.toLowerCase().endsWith(ending));
}

/** Whether a folder is hidden, or that of a program. */
function isOther(/** @type {string} */ name) {
  return name.startsWith(".") || otherFolders.has(name);
}

/** Returns what a folder has, by name; a browser gives a part at a time. */
async function entriesOf(/** @type {FileSystemDirectoryEntry} */ folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  for (;;) {
    const part = await /** @type {Promise<FileSystemEntry[]>} */ (
      new Promise((resolve, reject) => reader.readEntries(resolve, reject)));
    if (part.length === 0 || all.length > entryLimit) return all.sort((a, b) => a.name < b.name ? -1 : 1);
    all.push(...part);
  }
}

/** @returns {Promise<File>} */
function fileOf(/** @type {FileSystemFileEntry} */ entry) {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
