-- The work of people belongs to the content of a picture: it outlives its file, name, folder and root.

-- The SHA-256 of a file's bytes, 32 bytes, if it was decoded or looked for while it had its length and time.
ALTER TABLE pictureFile ADD COLUMN contentHash BLOB;
-- The earliest modification time that was seen at the path while its picture had the same displayed size.
ALTER TABLE pictureFile ADD COLUMN earliestNanoseconds INTEGER;

UPDATE pictureFile SET earliestNanoseconds = modifiedNanoseconds, contentHash = (
    SELECT picture.contentHash FROM picture
    WHERE picture.photoId = pictureFile.photoId AND picture.byteCount = pictureFile.byteCount
        AND picture.modifiedNanoseconds = pictureFile.modifiedNanoseconds);

-- Folders, by their paths from the root, that were the top of a mounted file system when an import saw files in them. The
-- root itself has an empty path. If one is none any more, its files are not gone: its disk is.
CREATE TABLE mountedFolder (
    rootId INTEGER NOT NULL REFERENCES root (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    PRIMARY KEY (rootId, path)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER rootForgetsMountedFolders AFTER DELETE ON root BEGIN
    DELETE FROM mountedFolder WHERE rootId = OLD.id;
END;

-- 1 if an import took the photo because its file had vanished; no person deleted it, and it comes back with its file.
ALTER TABLE deletedPhoto ADD COLUMN isPruned INTEGER NOT NULL DEFAULT 0 CHECK (isPruned IN (0, 1));

-- The contents of photos that were deleted, kept as long as the stream.
CREATE TABLE tombstone (
    id INTEGER PRIMARY KEY,
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE,
    -- The length of the file in bytes, and the SHA-256 of its bytes.
    byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    -- The id that the photo had.
    externalId TEXT NOT NULL CHECK (externalId <> ''),
    deletedAtMilliseconds INTEGER NOT NULL,
    -- As in deletedPhoto.
    isPruned INTEGER NOT NULL CHECK (isPruned IN (0, 1))
) STRICT;

-- Serves look-ups of a new file, by its length before its content is read.
CREATE UNIQUE INDEX tombstoneContent ON tombstone (streamId, byteCount, hash);

-- Serves restoring.
CREATE INDEX tombstoneExternalId ON tombstone (streamId, externalId);

-- Foreign keys are off by default in the sqlite3 shell; this always works.
CREATE TRIGGER streamForgetsTombstones AFTER DELETE ON stream BEGIN
    DELETE FROM tombstone WHERE streamId = OLD.id;
END;
