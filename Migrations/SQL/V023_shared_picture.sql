-- The result of decoding a picture belongs to its photo, and all servers of a primary show the same. What one machine knows of
-- its own files is a table of its own.

DROP TRIGGER streamDeletesPictures;
DROP TRIGGER photoDeletesPicture;
DROP TRIGGER photoChangesPicture;
DROP TRIGGER photoInsertedWithoutPicture;
DROP TRIGGER photoReplacesPicture;

-- Shared: the result of decoding a photo's picture. All of it can be dropped.
CREATE TABLE sharedPicture (
    -- That of the photo.
    id INTEGER PRIMARY KEY,
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE,
    -- The file that was decoded, on the machine that did it, and the orientation in which it was displayed.
    byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
    modifiedNanoseconds INTEGER NOT NULL,
    orientation INTEGER NOT NULL CHECK (orientation BETWEEN 1 AND 8),
    -- SHA-256 of the file.
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    pictureKey BLOB NOT NULL CHECK (length(pictureKey) = 16),
    -- A ThumbHash.
    decodedPlaceholder BLOB,
    -- 0xRRGGBB.
    decodedColor INTEGER CHECK (decodedColor BETWEEN 0 AND 16777215)
) STRICT;

-- Of this machine: a file that could not be decoded, or is being tried, or has the content of the shared result though it has
-- another length or time. There is none for a file that is just as the shared result says.
CREATE TABLE pictureTry (
    photoId INTEGER PRIMARY KEY,
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE,
    byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
    modifiedNanoseconds INTEGER NOT NULL,
    orientation INTEGER NOT NULL CHECK (orientation BETWEEN 1 AND 8),
    -- Of a file that was decoded.
    hash BLOB CHECK (length(hash) = 32),
    -- 0 decoded, 1 failed, 2 being tried alone.
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
    failureKind INTEGER,
    reason TEXT,
    -- The number of workers that died of it while it was tried alone.
    deaths INTEGER NOT NULL DEFAULT 0 CHECK (deaths >= 0),
    CHECK ((state = 0) = (hash IS NOT NULL))
) STRICT;

INSERT INTO sharedPicture
SELECT photoId, streamId, byteCount, modifiedNanoseconds, orientation, contentHash, pictureKey, placeholder, color
FROM picture WHERE state = 0 AND length(contentHash) = 32 AND length(pictureKey) = 16;

INSERT INTO pictureTry
SELECT photoId, streamId, byteCount, modifiedNanoseconds, orientation, NULL, state, failureKind, reason, deaths
FROM picture WHERE state <> 0;

DROP TABLE picture;
ALTER TABLE sharedPicture RENAME TO picture;

-- Serves the immutable addresses of thumbnails.
CREATE INDEX pictureByKey ON picture (pictureKey);

-- Serves counts, and the deletion of a stream.
CREATE INDEX pictureStream ON picture (streamId);

-- Serves counts, lists of failures, and the deletion of a stream.
CREATE INDEX pictureTryState ON pictureTry (streamId, state);

-- Shared tables have an id: here that of the stream.
ALTER TABLE pictureRevision RENAME COLUMN streamId TO id;

-- Folders that every server serves, beneath the same path on each; the servers' own roots are only theirs. Each of them is
-- also a root, for which the triggers below care.
CREATE TABLE declaredRoot (
    id INTEGER PRIMARY KEY,
    streamId INTEGER REFERENCES stream (id) ON DELETE CASCADE,
    path TEXT NOT NULL CHECK (path >= '/' AND path < '0'),
    resolvedPath TEXT NOT NULL CHECK (resolvedPath >= '/' AND resolvedPath < '0'),
    addedAtMilliseconds INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX declaredRootPath ON declaredRoot (path, coalesce(streamId, 0));

-- The declaration of a root that is valid on every machine, whose machine is empty.
ALTER TABLE root ADD COLUMN declaredId INTEGER;

CREATE TRIGGER declaredRootAddsRoot AFTER INSERT ON declaredRoot BEGIN
    INSERT INTO root (streamId, path, resolvedPath, machine, addedAtMilliseconds, declaredId)
    VALUES (NEW.streamId, NEW.path, NEW.resolvedPath, '', NEW.addedAtMilliseconds, NEW.id);
END;

CREATE TRIGGER declaredRootDeletesRoot AFTER DELETE ON declaredRoot BEGIN
    DELETE FROM root WHERE declaredId = OLD.id;
END;

CREATE TRIGGER declaredRootIsUnchangeable BEFORE UPDATE ON declaredRoot BEGIN
    SELECT RAISE(ABORT, 'a declared root cannot be changed; remove it and add another');
END;

-- The keys that sign the addresses of thumbnails: the present one, and the one before, which stays valid. NULL before the
-- first rotation: then the key follows from that of the cursors.
ALTER TABLE secret ADD COLUMN imageKey BLOB CHECK (length(imageKey) = 32);
ALTER TABLE secret ADD COLUMN formerImageKey BLOB CHECK (length(formerImageKey) = 32);

-- Foreign keys are off by default in the sqlite3 shell; these triggers always work.
CREATE TRIGGER streamDeletesPictures AFTER DELETE ON stream BEGIN
    DELETE FROM pictureFile WHERE streamId = OLD.id;
    DELETE FROM picture WHERE streamId = OLD.id;
    DELETE FROM pictureTry WHERE streamId = OLD.id;
    DELETE FROM pictureRevision WHERE id = OLD.id;
    DELETE FROM declaredRoot WHERE streamId = OLD.id;
END;

-- The triggers of V012 and V018, for both tables. As in V001: no function, so that SQLite opens no statement journal.
CREATE TRIGGER photoDeletesPicture AFTER DELETE ON photo BEGIN
    DELETE FROM picture WHERE id = OLD.id;
    DELETE FROM pictureTry WHERE photoId = OLD.id;
    UPDATE pictureFile SET photoId = NULL WHERE photoId = OLD.id;
END;

CREATE TRIGGER photoChangesPicture AFTER UPDATE OF streamId, location, orientation ON photo
WHEN NEW.location IS NOT OLD.location OR NEW.orientation <> OLD.orientation OR NEW.streamId <> OLD.streamId
BEGIN
    DELETE FROM picture WHERE id = OLD.id;
    DELETE FROM pictureTry WHERE photoId = OLD.id;
    UPDATE pictureFile SET photoId = NULL WHERE photoId = OLD.id AND streamId <> NEW.streamId;
END;

CREATE TRIGGER photoInsertedWithoutPicture AFTER INSERT ON photo
WHEN EXISTS (SELECT 1 FROM picture) OR EXISTS (SELECT 1 FROM pictureTry) OR EXISTS (SELECT 1 FROM pictureFile)
BEGIN
    DELETE FROM picture WHERE id = NEW.id;
    DELETE FROM pictureTry WHERE photoId = NEW.id;
    UPDATE pictureFile SET photoId = NULL WHERE photoId = NEW.id;
    DELETE FROM picture
    WHERE id IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 4) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE photo.id = picture.id);
    DELETE FROM pictureTry
    WHERE photoId IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 4) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE id = pictureTry.photoId);
    UPDATE pictureFile SET photoId = NULL
    WHERE photoId IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 4) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE id = pictureFile.photoId);
END;

CREATE TRIGGER photoReplacesPicture AFTER UPDATE OF id, streamId, streamOrder, externalId, takenAtMilliseconds,
    utcOffsetMinutes, takenAtPrecision, movedTime, movedRank, movedFromOrderTime ON photo
WHEN (NEW.id <> OLD.id OR NEW.streamId <> OLD.streamId OR NEW.externalId <> OLD.externalId
        OR NEW.movedRank IS NOT NULL)
    AND (EXISTS (SELECT 1 FROM picture) OR EXISTS (SELECT 1 FROM pictureTry) OR EXISTS (SELECT 1 FROM pictureFile))
BEGIN
    DELETE FROM picture WHERE id IN (OLD.id, NEW.id) AND OLD.id <> NEW.id;
    DELETE FROM pictureTry WHERE photoId IN (OLD.id, NEW.id) AND OLD.id <> NEW.id;
    UPDATE pictureFile SET photoId = NULL WHERE photoId IN (OLD.id, NEW.id) AND OLD.id <> NEW.id;
    DELETE FROM picture
    WHERE id IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 6) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE photo.id = picture.id);
    DELETE FROM pictureTry
    WHERE photoId IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 6) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE id = pictureTry.photoId);
    UPDATE pictureFile SET photoId = NULL
    WHERE photoId IN (SELECT photoId FROM (SELECT photoId, kind FROM change ORDER BY revision DESC LIMIT 6) WHERE kind = 3)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE id = pictureFile.photoId);
END;
