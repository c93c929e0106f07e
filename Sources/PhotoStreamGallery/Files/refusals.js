// @ts-check
/** The sentences for people about pictures that cannot be added. */

import { reason } from "./actions.js";
import { Problem } from "./photostream.js";
import { Unreadable } from "./sending.js";

/** A failure that the page itself describes. */
export class Refusal extends Error {}

/** The reason of each kind of problem, to end a sentence with.
 * @type {Record<string, string>} */
const sentences = {
  "invalid-name": "only pictures can be added, and their names end as usual for their kind, such as .jpg",
  "undecodable-picture": "this file is damaged, or it is not a picture",
  "unsupported-media-type": "only pictures can be added",
  "body-too-large": "this file is too large for the server",
  "file-exists": "there is a file with this name already",
  "photo-exists": "there is a photo with this name already",
  "photo-deleted": "a photo with this name was deleted; “Deleted photos…” restores it",
  "deleted-before": "this photo was deleted; “Deleted photos…” restores it",
  "uploads-off": "this stream does not accept pictures",
  "uploads-unavailable": "the server cannot take pictures at the moment",
  "disk-full": "the disk of the server is full",
  "read-only": "the server takes no changes",
  "unknown-stream": "this stream no longer exists",
  "token-required": "you are no longer signed in",
  "invalid-token": "you are no longer signed in",
  "insufficient-scope": "you may look at these photos, but not add any",
};

/** Returns the reason why a picture was not added, to end a sentence with.
 * @param {unknown} error */
export function refusal(error) {
  if (error instanceof Refusal) return error.message;
  if (error instanceof Unreadable) return "this file cannot be read any more";
  if (error instanceof Problem && sentences[error.kind]) return sentences[error.kind];
  return reason(error);
}
