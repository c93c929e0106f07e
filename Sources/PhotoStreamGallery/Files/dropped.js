// @ts-check
/** The files that are dropped on the page, and the pictures and videos in dropped folders. */

import { count } from "./dates.js";
import { plural, text } from "./texts.js";

/** The number of pictures and videos that are taken from folders at once. */
const pictureLimit = 10_000;
/** The number of files and folders that are searched for them. */
const entryLimit = 100_000;
/** Folders that programs and file systems put next to pictures, in lower case. The server skips the same ones. */
const otherFolders = new Set([
  "@eadir", "#recycle", "#snapshot", "@tmp", "@sharebin", "@synoresource", "@synoeastream", "@recycle",
  "@recently-snapshot", "@transcode", "@__thumb", "~snapshot", "__macosx", "network trash folder",
  "thevolumesettingsfolder", "$recycle.bin", "recycler", "system volume information", "$winreagent", "$sysreset",
  "lost+found",
]);
/** The extensions of pictures that have no media type in browsers. */
export const rawExtensions = [
  ".dng", ".cr2", ".cr3", ".crw", ".nef", ".arw", ".raf", ".orf", ".rw2", ".mrw", ".pef", ".heic", ".heif", ".avif",
];
/** The extensions of videos that the server takes, some of which have no media type in some browsers. */
export const videoExtensions = [
  ".mp4", ".m4v", ".mov", ".qt", ".3gp", ".3g2", ".mkv", ".webm", ".avi", ".mts", ".m2ts", ".mpg", ".mpeg",
];
/** Those of other videos without a media type in some browsers. */
const otherVideoExtensions = [".wmv", ".flv", ".vob", ".ogv", ".insv"];
/** The media types of images that are not photos. */
const otherTypes = new Set(["image/svg+xml", "image/x-icon", "image/vnd.microsoft.icon"]);

/**
 * @typedef {object} Dropped
 * @property {File[]} files The files, and the pictures and videos of the folders.
 * @property {{name: string, why: string}[]} problems The files and folders that were skipped, with the reasons.
 */

/** Returns the files and folders that are dropped. Call this while the event is handled.
 * @param {DataTransfer} data
 * @returns {{files: File[], folders: FileSystemDirectoryEntry[]}} */
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

/** Finds the pictures and videos in folders and their subfolders, in the order of their names. Hidden files and other files are
 * skipped.
 * @param {FileSystemDirectoryEntry[]} folders
 * @returns {Promise<Dropped>} */
export async function picturesIn(folders) {
  /** @type {File[]} */
  const files = [];
  /** @type {{name: string, why: string}[]} */
  const problems = [];
  let looked = 0;
  for (const root of folders) {
    const before = files.length;
    let videoCount = 0;
    let isComplete = true;
    // A stack: the last folder is searched next.
    const waiting = [root];
    for (let folder = waiting.pop(); folder && isComplete; folder = waiting.pop()) {
      const entries = await entriesOf(folder).catch(() => null);
      if (!entries) {
        problems.push({ name: folder.fullPath.slice(1), why: text("this folder cannot be read") });
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
        if (!file) problems.push({ name: entry.fullPath.slice(1), why: text("this file cannot be read") });
        else if (isOtherVideo(file)) videoCount += 1;
        else if (isPicture(file) || hasEnding(file, videoExtensions)) files.push(file);
      }
    }
    if (videoCount) problems.push({ name: root.name, why: videos(videoCount) });
    if (!isComplete) problems.push({ name: root.name, why: text("this folder has too many files; some were skipped") });
    else if (files.length === before) problems.push({ name: root.name, why: text("this folder contains no pictures or videos") });
  }
  return { files, problems };
}

/** Whether a file is a picture, judged by its media type or its name. */
function isPicture(/** @type {File} */ { name, type }) {
  if (type.startsWith("image/")) return !otherTypes.has(type);
  return hasEnding({ name }, rawExtensions);
}

/** Whether a file is a video of a kind that the server does not take, judged by its media type and its name.
 * @param {File} file */
export function isOtherVideo(file) {
  if (hasEnding(file, videoExtensions)) return false;
  return file.type.startsWith("video/") || hasEnding(file, otherVideoExtensions);
}

function hasEnding(/** @type {{name: string}} */ { name }, /** @type {string[]} */ endings) {
  return endings.some((ending) => name.toLowerCase().endsWith(ending));
}

/** "20 videos of other kinds were left out". */
function videos(/** @type {number} */ number) {
  const values = { count: count(number) };
  return plural(
    number, "{count} video of another kind was left out", "{count} videos of other kinds were left out", values);
}

/** Whether a folder is hidden, or was made by a program. */
function isOther(/** @type {string} */ name) {
  return name.startsWith(".") || otherFolders.has(name.toLowerCase());
}

/** Returns the entries of a folder, by name; browsers list them in parts. */
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
