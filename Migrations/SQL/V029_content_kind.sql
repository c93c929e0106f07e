-- The content of a file is the hash of its picture's data, without the metadata that programs write into it. Hashes of all
-- bytes, as in V019, go on counting until their file is read again.

-- 0 for a SHA-256 of all bytes, 1 for the hash of the picture's data. A tombstone with a hash of the latter kind has the
-- length 0, since metadata change the length of a file.
ALTER TABLE pictureFile ADD COLUMN contentKind INTEGER NOT NULL DEFAULT 0 CHECK (contentKind IN (0, 1));

-- Serves the search for the files that have or had a content.
CREATE INDEX pictureFileContent ON pictureFile (streamId, contentHash) WHERE contentHash IS NOT NULL;

-- The bytes of a motion photo's film in its file, from the start of the one up to the end of the other.
ALTER TABLE pictureFile ADD COLUMN filmStart INTEGER CHECK (filmStart >= 0);
ALTER TABLE pictureFile ADD COLUMN filmEnd INTEGER CHECK (filmEnd > filmStart);
CREATE INDEX pictureFileFilm ON pictureFile (streamId) WHERE filmStart >= 0;
