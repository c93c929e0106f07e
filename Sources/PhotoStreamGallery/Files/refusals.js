// @ts-check
/** The sentences for people about files that cannot be added. */

import { reason } from "./actions.js";
import { Problem } from "./photostream.js";
import { Unreadable } from "./sending.js";
import { text } from "./texts.js";

/** A failure that the page itself describes. */
export class Refusal extends Error {}

/** The reason of each kind of problem, to end a sentence with.
 * @type {Record<string, string>} */
const sentences = {
  "invalid-name": text("only pictures and videos can be added, and their names end as usual for their kind, such as .jpg"),
  "undecodable-picture": text("this file is damaged, or neither a picture nor a video"),
  "unsupported-media-type": text("only pictures and videos can be added"),
  "body-too-large": text("this file is too large for the server"),
  "file-exists": text("there is a file with this name already"),
  "photo-exists": text("there is a photo with this name already"),
  "photo-deleted": text("a photo with this name was deleted; “Deleted photos…” restores it"),
  "deleted-before": text("this photo was deleted; “Deleted photos…” restores it"),
  "uploads-off": text("this stream does not accept pictures"),
  "uploads-unavailable": text("the server cannot take pictures at the moment"),
  "disk-full": text("the disk of the server is full"),
  "read-only": text("the server takes no changes"),
  "unknown-stream": text("this stream no longer exists"),
  "token-required": text("you are no longer signed in"),
  "invalid-token": text("you are no longer signed in"),
  "insufficient-scope": text("you may look at these photos, but not add any"),
};

/** Returns the reason why a picture was not added, to end a sentence with.
 * @param {unknown} error */
export function refusal(error) {
  if (error instanceof Refusal) return error.message;
  if (error instanceof Unreadable) return text("this file cannot be read any more");
  if (error instanceof Problem && sentences[error.kind]) return sentences[error.kind];
  return reason(error);
}
