-- Picture files. Nothing here is logged, and no revision grows: what a decode gives does not change a photo.

-- Sets of bits, as in editedFields. The first has the fields whose value came from the picture's file or its sidecar,
-- below any edit of a person; the second has those that a metadata record cleared, so that the file does not set them
-- again. Both are 0 for photos of which no file was read. The rules are where records are applied.
ALTER TABLE photo ADD COLUMN fileFields INTEGER NOT NULL DEFAULT 0;
ALTER TABLE photo ADD COLUMN clearedFields INTEGER NOT NULL DEFAULT 0;

-- Every file that an import of a folder met.
CREATE TABLE pictureFile (
    id INTEGER PRIMARY KEY,
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE,
    rootId INTEGER NOT NULL REFERENCES root (id) ON DELETE CASCADE,
    -- From the root, without a leading slash.
    path TEXT NOT NULL CHECK (path <> ''),
    -- The photo that came of it, if any.
    photoId INTEGER,
    byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
    modifiedNanoseconds INTEGER NOT NULL,
    -- The names, sizes and times of its sidecars, in a form that is only compared.
    sidecars TEXT NOT NULL DEFAULT '',
    -- A JSON object: for each field that it gave, fileTime, fileName, embedded or sidecar.
    fieldSources TEXT CHECK (fieldSources >= '{' AND fieldSources < '|'),
    -- 0 read, 1 failed, 2 ignored because it is not a picture, 3 vanished.
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
    reason TEXT
) STRICT;

-- Serves look-ups of a file and of the files of a folder, in the order of their paths.
CREATE UNIQUE INDEX pictureFilePath ON pictureFile (streamId, rootId, path);

-- Serves the trigger that unlinks the files of a deleted photo, and the file of a photo.
CREATE INDEX pictureFilePhoto ON pictureFile (photoId);

-- Serves counts, lists of failures, and the search for the old name of a moved file.
CREATE INDEX pictureFileState ON pictureFile (streamId, state, byteCount, modifiedNanoseconds);

-- Serves the removal of a root.
CREATE INDEX pictureFileRoot ON pictureFile (rootId);

-- The result of decoding a photo's picture. All of it can be dropped.
CREATE TABLE picture (
    photoId INTEGER PRIMARY KEY,
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE,
    -- The file that was decoded, and the orientation in which it was displayed.
    byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
    modifiedNanoseconds INTEGER NOT NULL,
    orientation INTEGER NOT NULL CHECK (orientation BETWEEN 1 AND 8),
    -- SHA-256, 32 bytes.
    contentHash BLOB,
    -- 16 bytes.
    pictureKey BLOB,
    -- A ThumbHash.
    placeholder BLOB,
    -- 0xRRGGBB.
    color INTEGER CHECK (color BETWEEN 0 AND 16777215),
    -- 0 ready, 1 failed, 2 being tried alone.
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
    failureKind INTEGER,
    reason TEXT,
    -- The number of workers that died of it while it was tried alone.
    deaths INTEGER NOT NULL DEFAULT 0 CHECK (deaths >= 0)
) STRICT;

-- Serves the immutable addresses of thumbnails.
CREATE INDEX pictureByKey ON picture (pictureKey);

-- Serves counts, lists of failures, and the deletion of a stream.
CREATE INDEX pictureState ON picture (streamId, state);

-- A counter that is part of the validators of answers that show rows of picture. It grows at most once a second: a
-- write within a second of the last step makes the next step due, which readers count as taken when the second is over.
CREATE TABLE pictureRevision (
    streamId INTEGER PRIMARY KEY REFERENCES stream (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL CHECK (revision >= 0),
    raisedAtMilliseconds INTEGER NOT NULL,
    isDue INTEGER NOT NULL CHECK (isDue BETWEEN 0 AND 1)
) STRICT;

-- Foreign keys are off by default in the sqlite3 shell; these triggers always work.
CREATE TRIGGER streamDeletesPictures AFTER DELETE ON stream BEGIN
    DELETE FROM pictureFile WHERE streamId = OLD.id;
    DELETE FROM picture WHERE streamId = OLD.id;
    DELETE FROM pictureRevision WHERE streamId = OLD.id;
END;

CREATE TRIGGER rootDeletesPictureFiles AFTER DELETE ON root BEGIN
    DELETE FROM pictureFile WHERE rootId = OLD.id;
END;

-- As in V001: no function, so that SQLite opens no statement journal.
CREATE TRIGGER photoDeletesPicture AFTER DELETE ON photo BEGIN
    DELETE FROM picture WHERE photoId = OLD.id;
    UPDATE pictureFile SET photoId = NULL WHERE photoId = OLD.id;
END;

-- Another location is another file, and another orientation gives another thumbnail.
CREATE TRIGGER photoChangesPicture AFTER UPDATE OF streamId, location, orientation ON photo
WHEN NEW.location IS NOT OLD.location OR NEW.orientation <> OLD.orientation OR NEW.streamId <> OLD.streamId
BEGIN
    DELETE FROM picture WHERE photoId = OLD.id;
    UPDATE pictureFile SET photoId = NULL WHERE photoId = OLD.id AND streamId <> NEW.streamId;
END;

-- REPLACE deletes rows without firing a delete trigger. The triggers of V009 have just logged these rows as kind 3, at
-- most three before the row of the change itself.
CREATE TRIGGER photoInsertedWithoutPicture AFTER INSERT ON photo
WHEN EXISTS (SELECT 1 FROM picture) OR EXISTS (SELECT 1 FROM pictureFile)
BEGIN
    DELETE FROM picture WHERE photoId = NEW.id;
    UPDATE pictureFile SET photoId = NULL WHERE photoId = NEW.id;
    DELETE FROM picture
    WHERE photoId IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 4) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE id = picture.photoId);
    UPDATE pictureFile SET photoId = NULL
    WHERE photoId IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 4) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE id = pictureFile.photoId);
END;

CREATE TRIGGER photoReplacesPicture AFTER UPDATE OF id, streamId, streamOrder, externalId, takenAtMilliseconds,
    utcOffsetMinutes, takenAtPrecision, movedTime, movedRank, movedFromOrderTime ON photo
WHEN (NEW.id <> OLD.id OR NEW.streamId <> OLD.streamId OR NEW.externalId <> OLD.externalId
        OR NEW.movedRank IS NOT NULL)
    AND (EXISTS (SELECT 1 FROM picture) OR EXISTS (SELECT 1 FROM pictureFile))
BEGIN
    DELETE FROM picture WHERE photoId IN (OLD.id, NEW.id) AND OLD.id <> NEW.id;
    UPDATE pictureFile SET photoId = NULL WHERE photoId IN (OLD.id, NEW.id) AND OLD.id <> NEW.id;
    DELETE FROM picture
    WHERE photoId IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 6) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE id = picture.photoId);
    UPDATE pictureFile SET photoId = NULL
    WHERE photoId IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 6) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE id = pictureFile.photoId);
END;
