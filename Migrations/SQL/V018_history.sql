-- The log with the identity of its history and with the values that it needs to undo a change. It is built again with
-- its rows and their revisions. The triggers that name it are dropped first and created again below.

DROP TRIGGER photoInserted;
DROP TRIGGER photoDeleted;
DROP TRIGGER photoUpdated;
DROP TRIGGER photoChangedStream;
DROP TRIGGER photoReplacedByInsert;
DROP TRIGGER photoReplacedByUpdate;
DROP TRIGGER photoReplacedByMove;
DROP TRIGGER photoInsertedWithoutPicture;
DROP TRIGGER photoReplacesPicture;

-- As in V002 and V006, whose comments still apply.
CREATE TABLE taggedChange (
    revision INTEGER PRIMARY KEY,
    -- A random number. After a restore or in a copy, a revision is given a second time, but never with the same tag: the
    -- two together name one state of the row's stream. A replica has the tags of its primary.
    tag INTEGER NOT NULL DEFAULT (random()),
    streamId INTEGER NOT NULL,
    photoId INTEGER NOT NULL,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),
    oldTime INTEGER,
    oldRank INTEGER,
    newTime INTEGER,
    newRank INTEGER,
    oldWidth INTEGER,
    oldHeight INTEGER,
    oldHasCaption INTEGER,
    oldExternalId TEXT,
    oldLatitude REAL,
    oldLongitude REAL,
    -- The columns below that have the value before, so that an absent value differs from an unchanged one: a set of bits,
    -- the first column's is 1, the next one's 2. All of a deleted or replaced photo; NULL for an inserted one, and in
    -- rows of earlier versions, whose values are unknown.
    changedColumns INTEGER,
    -- The other values that a condition, a layout or a text reads, if they have changed.
    oldCaption TEXT,
    oldAlt TEXT,
    oldTitle TEXT,
    oldTags TEXT,
    oldCamera TEXT,
    oldLocation TEXT,
    oldRating INTEGER,
    oldTakenAtMilliseconds INTEGER,
    oldUtcOffsetMinutes INTEGER,
    oldTakenAtPrecision INTEGER,
    oldOrientation INTEGER,
    oldEditedFields INTEGER,
    oldContentHash TEXT,
    oldMetricsSource INTEGER,
    oldColor INTEGER,
    oldPlaceholder TEXT
) STRICT;

INSERT INTO taggedChange (revision, streamId, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldHeight,
    oldHasCaption, oldExternalId, oldLatitude, oldLongitude)
SELECT revision, streamId, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldHeight,
    oldHasCaption, oldExternalId, oldLatitude, oldLongitude
FROM change ORDER BY revision;

DROP TABLE change;
ALTER TABLE taggedChange RENAME TO change;

-- From which revision on the log is complete: it has every row after this one, except for those that are trimmed because
-- of its length. A replica starts with a part of its primary's log.
CREATE TABLE history (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    completeAfter INTEGER NOT NULL CHECK (completeAfter >= 0)
) STRICT;

-- Keys are consecutive, so the last row without a predecessor follows a gap.
INSERT INTO history (id, completeAfter)
SELECT 1, coalesce(max(revision), 1) - 1 FROM change WHERE revision - 1 NOT IN (SELECT revision FROM change);

-- The rows of a replica have the tags of its primary, so it is built again.
UPDATE replica SET commitId = -1, revision = 0, tag = 0;

-- The counter of pictures, with a random number for each of its steps: that of the last one, and that of the next one if
-- it is due.
ALTER TABLE pictureRevision ADD COLUMN tag INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pictureRevision ADD COLUMN nextTag INTEGER NOT NULL DEFAULT 0;
UPDATE pictureRevision SET tag = random(), nextTag = random();

-- The triggers of V009, with the new columns. As in V001: no function, so that SQLite opens no statement journal.
CREATE TRIGGER photoInserted AFTER INSERT ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, newTime, newRank)
    VALUES (NEW.streamId, NEW.id, 0, NEW.orderTime, NEW.orderRank);
END;

CREATE TRIGGER photoDeleted AFTER DELETE ON photo BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder)
    VALUES (
        OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption, OLD.externalId,
        OLD.latitude, OLD.longitude, 65535, OLD.caption, OLD.alt, OLD.title, OLD.tags, OLD.camera, OLD.location,
        OLD.rating, OLD.takenAtMilliseconds, OLD.utcOffsetMinutes, OLD.takenAtPrecision, OLD.orientation,
        OLD.editedFields, OLD.contentHash, OLD.metricsSource, OLD.color, OLD.placeholder);
END;

CREATE TRIGGER photoUpdated AFTER UPDATE ON photo WHEN OLD.streamId = NEW.streamId BEGIN
    INSERT INTO change (
        streamId, photoId, kind, newTime, newRank, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption,
        oldExternalId, oldLatitude, oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera,
        oldLocation, oldRating, oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation,
        oldEditedFields, oldContentHash, oldMetricsSource, oldColor, oldPlaceholder)
    VALUES (
        NEW.streamId, NEW.id, 2, NEW.orderTime, NEW.orderRank, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height,
        OLD.hasCaption, OLD.externalId, OLD.latitude, OLD.longitude,
        (OLD.caption IS NOT NEW.caption) * 1
            + (OLD.alt IS NOT NEW.alt) * 2
            + (OLD.title IS NOT NEW.title) * 4
            + (OLD.tags IS NOT NEW.tags) * 8
            + (OLD.camera IS NOT NEW.camera) * 16
            + (OLD.location IS NOT NEW.location) * 32
            + (OLD.rating IS NOT NEW.rating) * 64
            + (OLD.takenAtMilliseconds IS NOT NEW.takenAtMilliseconds) * 128
            + (OLD.utcOffsetMinutes IS NOT NEW.utcOffsetMinutes) * 256
            + (OLD.takenAtPrecision IS NOT NEW.takenAtPrecision) * 512
            + (OLD.orientation IS NOT NEW.orientation) * 1024
            + (OLD.editedFields IS NOT NEW.editedFields) * 2048
            + (OLD.contentHash IS NOT NEW.contentHash) * 4096
            + (OLD.metricsSource IS NOT NEW.metricsSource) * 8192
            + (OLD.color IS NOT NEW.color) * 16384
            + (OLD.placeholder IS NOT NEW.placeholder) * 32768,
        CASE WHEN OLD.caption IS NOT NEW.caption THEN OLD.caption END,
        CASE WHEN OLD.alt IS NOT NEW.alt THEN OLD.alt END,
        CASE WHEN OLD.title IS NOT NEW.title THEN OLD.title END,
        CASE WHEN OLD.tags IS NOT NEW.tags THEN OLD.tags END,
        CASE WHEN OLD.camera IS NOT NEW.camera THEN OLD.camera END,
        CASE WHEN OLD.location IS NOT NEW.location THEN OLD.location END,
        CASE WHEN OLD.rating IS NOT NEW.rating THEN OLD.rating END,
        CASE WHEN OLD.takenAtMilliseconds IS NOT NEW.takenAtMilliseconds THEN OLD.takenAtMilliseconds END,
        CASE WHEN OLD.utcOffsetMinutes IS NOT NEW.utcOffsetMinutes THEN OLD.utcOffsetMinutes END,
        CASE WHEN OLD.takenAtPrecision IS NOT NEW.takenAtPrecision THEN OLD.takenAtPrecision END,
        CASE WHEN OLD.orientation IS NOT NEW.orientation THEN OLD.orientation END,
        CASE WHEN OLD.editedFields IS NOT NEW.editedFields THEN OLD.editedFields END,
        CASE WHEN OLD.contentHash IS NOT NEW.contentHash THEN OLD.contentHash END,
        CASE WHEN OLD.metricsSource IS NOT NEW.metricsSource THEN OLD.metricsSource END,
        CASE WHEN OLD.color IS NOT NEW.color THEN OLD.color END,
        CASE WHEN OLD.placeholder IS NOT NEW.placeholder THEN OLD.placeholder END);
END;

CREATE TRIGGER photoChangedStream AFTER UPDATE OF streamId ON photo WHEN OLD.streamId <> NEW.streamId BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder)
    VALUES (
        OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption, OLD.externalId,
        OLD.latitude, OLD.longitude, 65535, OLD.caption, OLD.alt, OLD.title, OLD.tags, OLD.camera, OLD.location,
        OLD.rating, OLD.takenAtMilliseconds, OLD.utcOffsetMinutes, OLD.takenAtPrecision, OLD.orientation,
        OLD.editedFields, OLD.contentHash, OLD.metricsSource, OLD.color, OLD.placeholder);
    INSERT INTO change (streamId, photoId, kind, newTime, newRank)
    VALUES (NEW.streamId, NEW.id, 0, NEW.orderTime, NEW.orderRank);
END;

CREATE TRIGGER photoReplacedByInsert BEFORE INSERT ON photo
WHEN NEW.id > 0 OR NEW.movedRank IS NOT NULL
    OR EXISTS (SELECT 1 FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId)
BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder)
    SELECT
        streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude, 65535,
        caption, alt, title, tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision,
        orientation, editedFields, contentHash, metricsSource, color, placeholder
    FROM photo WHERE id IN (
        SELECT id FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId
        UNION ALL SELECT NEW.id
        UNION ALL SELECT id FROM photo
        WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank);
END;

CREATE TRIGGER photoReplacedByUpdate BEFORE UPDATE OF id, streamId, externalId ON photo BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder)
    SELECT
        streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude, 65535,
        caption, alt, title, tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision,
        orientation, editedFields, contentHash, metricsSource, color, placeholder
    FROM photo WHERE id <> OLD.id AND id IN (
        SELECT id FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId
        UNION ALL SELECT NEW.id);
END;

CREATE TRIGGER photoReplacedByMove BEFORE UPDATE OF streamId, streamOrder, takenAtMilliseconds, utcOffsetMinutes,
    takenAtPrecision, movedTime, movedRank, movedFromOrderTime ON photo WHEN NEW.movedRank IS NOT NULL BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder)
    SELECT
        streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude, 65535,
        caption, alt, title, tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision,
        orientation, editedFields, contentHash, metricsSource, color, placeholder
    FROM photo WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank
        AND id <> OLD.id;
END;

-- The triggers of V012, unchanged.
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
