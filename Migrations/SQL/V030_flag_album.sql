-- Flags and albums. A flag is set or not, so its column is never NULL. The albums are a JSON array, as the tags are.

ALTER TABLE photo ADD COLUMN favourite INTEGER NOT NULL DEFAULT 0 CHECK (favourite IN (0, 1));
ALTER TABLE photo ADD COLUMN archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));
ALTER TABLE photo ADD COLUMN albums TEXT CHECK (albums >= '[' AND albums < '\');
-- Checked when the row returns to photo.
ALTER TABLE deletedPhoto ADD COLUMN favourite INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deletedPhoto ADD COLUMN albums TEXT;
ALTER TABLE deletedPhoto ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE change ADD COLUMN oldFavourite INTEGER;
ALTER TABLE change ADD COLUMN oldAlbums TEXT;
ALTER TABLE change ADD COLUMN oldArchived INTEGER;

-- Whether a stream has archived photos, or the log knows of some.
CREATE INDEX photoArchived ON photo (streamId) WHERE archived = 1 AND stackRank = 0;
CREATE INDEX changeArchived ON change (streamId) WHERE oldArchived = 1;

-- A server of the version before follows its primary without the columns, so its file is built again.
UPDATE replica SET commitId = -1, revision = 0, tag = 0;

-- They name the columns.
DROP TRIGGER photoDeleted;
DROP TRIGGER photoHidden;
DROP TRIGGER photoUpdated;
DROP TRIGGER photoChangedStream;
DROP TRIGGER photoReplacedByInsert;
DROP TRIGGER photoReplacedByUpdate;
DROP TRIGGER photoReplacedByMove;

-- The triggers of V027, with the new columns.

CREATE TRIGGER photoDeleted AFTER DELETE ON photo BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource, oldDuration, oldCodec,
        oldStack, oldStackRank, oldStackKind, oldFavourite, oldAlbums, oldArchived)
    VALUES (
        OLD.streamId, OLD.id, 1, CASE WHEN OLD.stackRank = 0 THEN OLD.orderTime END,
        CASE WHEN OLD.stackRank = 0 THEN OLD.orderRank END, OLD.width, OLD.height, OLD.hasCaption, OLD.externalId,
        OLD.latitude, OLD.longitude, 2147483647, OLD.caption, OLD.alt, OLD.title, OLD.tags, OLD.camera, OLD.location,
        OLD.rating, OLD.takenAtMilliseconds, OLD.utcOffsetMinutes, OLD.takenAtPrecision, OLD.orientation,
        OLD.editedFields, OLD.contentHash, OLD.metricsSource, OLD.color, OLD.placeholder, OLD.lens, OLD.iso,
        OLD.aperture, OLD.exposureTime, OLD.focalLength, OLD.people, OLD.takenAtSource,
        OLD.duration, OLD.codec, OLD.stack, OLD.stackRank, OLD.stackKind, OLD.favourite, OLD.albums, OLD.archived);
    -- The next photo takes over a move, so that it shows in the same place.
    UPDATE photo SET stackRank = 0,
        movedTime = CASE WHEN OLD.movedFromOrderTime IS OLD.ownOrderTime THEN OLD.movedTime END,
        movedRank = CASE WHEN OLD.movedFromOrderTime IS OLD.ownOrderTime THEN OLD.movedRank END,
        movedFromOrderTime = CASE
            WHEN OLD.movedFromOrderTime IS OLD.ownOrderTime AND OLD.movedTime IS NOT NULL THEN ownOrderTime END
    WHERE OLD.stackRank = 0 AND stackRank > 0 AND id = (
        SELECT id FROM photo INDEXED BY photoStack WHERE streamId = OLD.streamId AND stack = OLD.stack
        ORDER BY stackRank, id LIMIT 1);
END;

-- To layouts, a photo that is hidden is gone.
CREATE TRIGGER photoHidden AFTER UPDATE OF stackRank ON photo
WHEN OLD.streamId = NEW.streamId AND OLD.stackRank = 0 AND NEW.stackRank > 0 BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource, oldDuration, oldCodec,
        oldStack, oldStackRank, oldStackKind, oldFavourite, oldAlbums, oldArchived)
    VALUES (
        NEW.streamId, NEW.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption, OLD.externalId,
        OLD.latitude, OLD.longitude, 2147483647, OLD.caption, OLD.alt, OLD.title, OLD.tags, OLD.camera, OLD.location,
        OLD.rating, OLD.takenAtMilliseconds, OLD.utcOffsetMinutes, OLD.takenAtPrecision, OLD.orientation,
        OLD.editedFields, OLD.contentHash, OLD.metricsSource, OLD.color, OLD.placeholder, OLD.lens, OLD.iso,
        OLD.aperture, OLD.exposureTime, OLD.focalLength, OLD.people, OLD.takenAtSource,
        OLD.duration, OLD.codec, OLD.stack, OLD.stackRank, OLD.stackKind, OLD.favourite, OLD.albums, OLD.archived);
    -- The next photo takes over a move, so that it shows in the same place.
    UPDATE photo SET stackRank = 0,
        movedTime = CASE WHEN OLD.movedFromOrderTime IS OLD.ownOrderTime THEN OLD.movedTime END,
        movedRank = CASE WHEN OLD.movedFromOrderTime IS OLD.ownOrderTime THEN OLD.movedRank END,
        movedFromOrderTime = CASE
            WHEN OLD.movedFromOrderTime IS OLD.ownOrderTime AND OLD.movedTime IS NOT NULL THEN ownOrderTime END
    WHERE OLD.stackRank = 0 AND stackRank > 0 AND id = (
        SELECT id FROM photo INDEXED BY photoStack WHERE streamId = OLD.streamId AND stack = OLD.stack
        ORDER BY stackRank, id LIMIT 1);
    UPDATE photo SET stackRank = 0
    WHERE stackRank > 0 AND id = (
        SELECT id FROM photo INDEXED BY photoStack WHERE streamId = NEW.streamId AND stack = NEW.stack
        ORDER BY stackRank, id LIMIT 1);
END;

CREATE TRIGGER photoUpdated AFTER UPDATE ON photo
WHEN OLD.streamId = NEW.streamId AND (OLD.stackRank = 0) = (NEW.stackRank = 0) BEGIN
    INSERT INTO change (
        streamId, photoId, kind, newTime, newRank, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption,
        oldExternalId, oldLatitude, oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera,
        oldLocation, oldRating, oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation,
        oldEditedFields, oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource, oldDuration, oldCodec,
        oldStack, oldStackRank, oldStackKind, oldFavourite, oldAlbums, oldArchived)
    VALUES (
        NEW.streamId, NEW.id, 2, CASE WHEN NEW.stackRank = 0 THEN NEW.orderTime END,
        CASE WHEN NEW.stackRank = 0 THEN NEW.orderRank END,
        CASE WHEN OLD.stackRank = 0 THEN OLD.orderTime END,
        CASE WHEN OLD.stackRank = 0 THEN OLD.orderRank END, OLD.width, OLD.height,
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
            + (OLD.placeholder IS NOT NEW.placeholder) * 32768
            + (OLD.lens IS NOT NEW.lens) * 65536
            + (OLD.iso IS NOT NEW.iso) * 131072
            + (OLD.aperture IS NOT NEW.aperture) * 262144
            + (OLD.exposureTime IS NOT NEW.exposureTime) * 524288
            + (OLD.focalLength IS NOT NEW.focalLength) * 1048576
            + (OLD.people IS NOT NEW.people) * 2097152
            + (OLD.takenAtSource IS NOT NEW.takenAtSource) * 4194304
            + (OLD.duration IS NOT NEW.duration) * 8388608
            + (OLD.codec IS NOT NEW.codec) * 16777216
            + (OLD.stack IS NOT NEW.stack) * 33554432
            + (OLD.stackRank IS NOT NEW.stackRank) * 67108864
            + (OLD.stackKind IS NOT NEW.stackKind) * 134217728
            + (OLD.favourite IS NOT NEW.favourite) * 268435456
            + (OLD.albums IS NOT NEW.albums) * 536870912
            + (OLD.archived IS NOT NEW.archived) * 1073741824,
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
        CASE WHEN OLD.placeholder IS NOT NEW.placeholder THEN OLD.placeholder END,
        CASE WHEN OLD.lens IS NOT NEW.lens THEN OLD.lens END,
        CASE WHEN OLD.iso IS NOT NEW.iso THEN OLD.iso END,
        CASE WHEN OLD.aperture IS NOT NEW.aperture THEN OLD.aperture END,
        CASE WHEN OLD.exposureTime IS NOT NEW.exposureTime THEN OLD.exposureTime END,
        CASE WHEN OLD.focalLength IS NOT NEW.focalLength THEN OLD.focalLength END,
        CASE WHEN OLD.people IS NOT NEW.people THEN OLD.people END,
        CASE WHEN OLD.takenAtSource IS NOT NEW.takenAtSource THEN OLD.takenAtSource END,
        CASE WHEN OLD.duration IS NOT NEW.duration THEN OLD.duration END,
        CASE WHEN OLD.codec IS NOT NEW.codec THEN OLD.codec END,
        CASE WHEN OLD.stack IS NOT NEW.stack THEN OLD.stack END,
        CASE WHEN OLD.stackRank IS NOT NEW.stackRank THEN OLD.stackRank END,
        CASE WHEN OLD.stackKind IS NOT NEW.stackKind THEN OLD.stackKind END,
        CASE WHEN OLD.favourite IS NOT NEW.favourite THEN OLD.favourite END,
        CASE WHEN OLD.albums IS NOT NEW.albums THEN OLD.albums END,
        CASE WHEN OLD.archived IS NOT NEW.archived THEN OLD.archived END);
END;

CREATE TRIGGER photoChangedStream AFTER UPDATE OF streamId ON photo WHEN OLD.streamId <> NEW.streamId BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource, oldDuration, oldCodec,
        oldStack, oldStackRank, oldStackKind, oldFavourite, oldAlbums, oldArchived)
    VALUES (
        OLD.streamId, OLD.id, 1, CASE WHEN OLD.stackRank = 0 THEN OLD.orderTime END,
        CASE WHEN OLD.stackRank = 0 THEN OLD.orderRank END, OLD.width, OLD.height, OLD.hasCaption, OLD.externalId,
        OLD.latitude, OLD.longitude, 2147483647, OLD.caption, OLD.alt, OLD.title, OLD.tags, OLD.camera, OLD.location,
        OLD.rating, OLD.takenAtMilliseconds, OLD.utcOffsetMinutes, OLD.takenAtPrecision, OLD.orientation,
        OLD.editedFields, OLD.contentHash, OLD.metricsSource, OLD.color, OLD.placeholder, OLD.lens, OLD.iso,
        OLD.aperture, OLD.exposureTime, OLD.focalLength, OLD.people, OLD.takenAtSource,
        OLD.duration, OLD.codec, OLD.stack, OLD.stackRank, OLD.stackKind, OLD.favourite, OLD.albums, OLD.archived);
    INSERT INTO change (streamId, photoId, kind, newTime, newRank)
    VALUES (NEW.streamId, NEW.id, 0, CASE WHEN NEW.stackRank = 0 THEN NEW.orderTime END,
        CASE WHEN NEW.stackRank = 0 THEN NEW.orderRank END);
END;

CREATE TRIGGER photoReplacedByInsert BEFORE INSERT ON photo
WHEN NEW.id > 0 OR NEW.movedRank IS NOT NULL
    OR EXISTS (SELECT 1 FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId)
BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource, oldDuration, oldCodec,
        oldStack, oldStackRank, oldStackKind, oldFavourite, oldAlbums, oldArchived)
    SELECT
        streamId, id, 3, CASE WHEN stackRank = 0 THEN orderTime END,
        CASE WHEN stackRank = 0 THEN orderRank END,
        width, height, hasCaption, externalId, latitude, longitude, 2147483647,
        caption, alt, title, tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision,
        orientation, editedFields, contentHash, metricsSource, color, placeholder, lens, iso, aperture,
        exposureTime, focalLength, people, takenAtSource, duration, codec, stack, stackRank, stackKind,
        favourite, albums, archived
    FROM photo WHERE id IN (
        SELECT id FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId
        UNION ALL SELECT NEW.id
        UNION ALL SELECT id FROM photo
        WHERE stackRank = 0 AND streamId = NEW.streamId AND orderTime = NEW.movedTime
            AND orderRank = NEW.movedRank);
    INSERT OR IGNORE INTO replacedCover (streamId, stack)
    SELECT streamId, stack
    FROM photo WHERE stack IS NOT NULL AND stackRank = 0 AND (
        id IN (
        SELECT id FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId
        UNION ALL SELECT NEW.id
        UNION ALL SELECT id FROM photo
        WHERE stackRank = 0 AND streamId = NEW.streamId AND orderTime = NEW.movedTime
            AND orderRank = NEW.movedRank));
END;

CREATE TRIGGER photoReplacedByUpdate BEFORE UPDATE OF id, streamId, externalId ON photo BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource, oldDuration, oldCodec,
        oldStack, oldStackRank, oldStackKind, oldFavourite, oldAlbums, oldArchived)
    SELECT
        streamId, id, 3, CASE WHEN stackRank = 0 THEN orderTime END,
        CASE WHEN stackRank = 0 THEN orderRank END,
        width, height, hasCaption, externalId, latitude, longitude, 2147483647,
        caption, alt, title, tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision,
        orientation, editedFields, contentHash, metricsSource, color, placeholder, lens, iso, aperture,
        exposureTime, focalLength, people, takenAtSource, duration, codec, stack, stackRank, stackKind,
        favourite, albums, archived
    FROM photo WHERE id <> OLD.id AND id IN (
        SELECT id FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId
        UNION ALL SELECT NEW.id);
    INSERT OR IGNORE INTO replacedCover (streamId, stack)
    SELECT streamId, stack
    FROM photo WHERE stack IS NOT NULL AND stackRank = 0 AND (
        id <> OLD.id AND id IN (
        SELECT id FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId
        UNION ALL SELECT NEW.id));
END;

CREATE TRIGGER photoReplacedByMove BEFORE UPDATE OF streamId, streamOrder, takenAtMilliseconds, utcOffsetMinutes,
    takenAtPrecision, movedTime, movedRank, movedFromOrderTime ON photo WHEN NEW.movedRank IS NOT NULL BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource, oldDuration, oldCodec,
        oldStack, oldStackRank, oldStackKind, oldFavourite, oldAlbums, oldArchived)
    SELECT
        streamId, id, 3, CASE WHEN stackRank = 0 THEN orderTime END,
        CASE WHEN stackRank = 0 THEN orderRank END,
        width, height, hasCaption, externalId, latitude, longitude, 2147483647,
        caption, alt, title, tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision,
        orientation, editedFields, contentHash, metricsSource, color, placeholder, lens, iso, aperture,
        exposureTime, focalLength, people, takenAtSource, duration, codec, stack, stackRank, stackKind,
        favourite, albums, archived
    FROM photo WHERE stackRank = 0 AND streamId = NEW.streamId AND orderTime = NEW.movedTime
            AND orderRank = NEW.movedRank
        AND id <> OLD.id;
    INSERT OR IGNORE INTO replacedCover (streamId, stack)
    SELECT streamId, stack
    FROM photo WHERE stack IS NOT NULL AND stackRank = 0 AND (
        stackRank = 0 AND streamId = NEW.streamId AND orderTime = NEW.movedTime
            AND orderRank = NEW.movedRank
        AND id <> OLD.id);
END;
