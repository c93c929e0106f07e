-- More metadata, the names of people, and the source of each capture time. They change no layout.

ALTER TABLE photo ADD COLUMN lens TEXT;
ALTER TABLE photo ADD COLUMN iso INTEGER;
-- The f-number, in hundredths.
ALTER TABLE photo ADD COLUMN aperture INTEGER;
-- In microseconds.
ALTER TABLE photo ADD COLUMN exposureTime INTEGER;
-- In hundredths of a millimetre.
ALTER TABLE photo ADD COLUMN focalLength INTEGER;
-- A JSON array, as tags.
ALTER TABLE photo ADD COLUMN people TEXT;
-- The source of the capture time: 0 a person, 1 a record; of the picture's file 2 a sidecar, 3 its metadata, 4 its
-- name, 5 its time. NULL without a time, or if it is unknown. Later versions may add others.
--
-- The conditions of all new columns, since SQLite reads the whole table for each statement that adds any.
ALTER TABLE photo ADD COLUMN takenAtSource INTEGER
    CHECK (takenAtSource BETWEEN 0 AND 255)
    CHECK (iso BETWEEN 1 AND 10000000)
    CHECK (aperture BETWEEN 1 AND 100000)
    CHECK (exposureTime BETWEEN 1 AND 2147000000)
    CHECK (focalLength BETWEEN 1 AND 100000000)
    CHECK (people >= '[' AND people < '\');

-- Checked when the row returns to photo.
ALTER TABLE deletedPhoto ADD COLUMN lens TEXT;
ALTER TABLE deletedPhoto ADD COLUMN iso INTEGER;
ALTER TABLE deletedPhoto ADD COLUMN aperture INTEGER;
ALTER TABLE deletedPhoto ADD COLUMN exposureTime INTEGER;
ALTER TABLE deletedPhoto ADD COLUMN focalLength INTEGER;
ALTER TABLE deletedPhoto ADD COLUMN people TEXT;
ALTER TABLE deletedPhoto ADD COLUMN takenAtSource INTEGER;

ALTER TABLE change ADD COLUMN oldLens TEXT;
ALTER TABLE change ADD COLUMN oldIso INTEGER;
ALTER TABLE change ADD COLUMN oldAperture INTEGER;
ALTER TABLE change ADD COLUMN oldExposureTime INTEGER;
ALTER TABLE change ADD COLUMN oldFocalLength INTEGER;
ALTER TABLE change ADD COLUMN oldPeople TEXT;
ALTER TABLE change ADD COLUMN oldTakenAtSource INTEGER;

-- They name the columns, so that they are created again below. Without them, the update is not logged.
DROP TRIGGER photoDeleted;
DROP TRIGGER photoUpdated;
DROP TRIGGER photoChangedStream;
DROP TRIGGER photoReplacedByInsert;
DROP TRIGGER photoReplacedByUpdate;
DROP TRIGGER photoReplacedByMove;

-- The field takenAt has the bit 4: a person edited it, no file provided it, or the file's row has its source. A version
-- before did not note the source of a time that is the file's without a row, such as that of a deleted photo.
UPDATE photo SET takenAtSource = CASE
    WHEN editedFields & 4 <> 0 THEN 0
    WHEN fileFields & 4 = 0 THEN 1
    -- Of a replica, the primary's rows count, and it does not know the files.
    WHEN EXISTS (SELECT 1 FROM replica) THEN NULL
    ELSE (
        SELECT CASE WHEN json_valid(fieldSources) THEN CASE fieldSources ->> 'takenAt'
            WHEN 'sidecar' THEN 2 WHEN 'embedded' THEN 3 WHEN 'fileName' THEN 4 WHEN 'fileTime' THEN 5 END END
        FROM pictureFile INDEXED BY pictureFilePhoto WHERE photoId = photo.id AND fieldSources IS NOT NULL
        ORDER BY state, pictureFile.id LIMIT 1)
    END
WHERE takenAtMilliseconds IS NOT NULL;

UPDATE deletedPhoto SET takenAtSource = CASE
    WHEN editedFields & 4 <> 0 THEN 0
    WHEN fileFields & 4 = 0 THEN 1
    END
WHERE takenAtMilliseconds IS NOT NULL;

-- The triggers of V018, with the new columns.

CREATE TRIGGER photoDeleted AFTER DELETE ON photo BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource)
    VALUES (
        OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption, OLD.externalId,
        OLD.latitude, OLD.longitude, 8388607, OLD.caption, OLD.alt, OLD.title, OLD.tags, OLD.camera, OLD.location,
        OLD.rating, OLD.takenAtMilliseconds, OLD.utcOffsetMinutes, OLD.takenAtPrecision, OLD.orientation,
        OLD.editedFields, OLD.contentHash, OLD.metricsSource, OLD.color, OLD.placeholder, OLD.lens, OLD.iso,
        OLD.aperture, OLD.exposureTime, OLD.focalLength, OLD.people, OLD.takenAtSource);
END;

CREATE TRIGGER photoUpdated AFTER UPDATE ON photo WHEN OLD.streamId = NEW.streamId BEGIN
    INSERT INTO change (
        streamId, photoId, kind, newTime, newRank, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption,
        oldExternalId, oldLatitude, oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera,
        oldLocation, oldRating, oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation,
        oldEditedFields, oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource)
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
            + (OLD.placeholder IS NOT NEW.placeholder) * 32768
            + (OLD.lens IS NOT NEW.lens) * 65536
            + (OLD.iso IS NOT NEW.iso) * 131072
            + (OLD.aperture IS NOT NEW.aperture) * 262144
            + (OLD.exposureTime IS NOT NEW.exposureTime) * 524288
            + (OLD.focalLength IS NOT NEW.focalLength) * 1048576
            + (OLD.people IS NOT NEW.people) * 2097152
            + (OLD.takenAtSource IS NOT NEW.takenAtSource) * 4194304,
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
        CASE WHEN OLD.takenAtSource IS NOT NEW.takenAtSource THEN OLD.takenAtSource END);
END;

CREATE TRIGGER photoChangedStream AFTER UPDATE OF streamId ON photo WHEN OLD.streamId <> NEW.streamId BEGIN
    INSERT INTO change (
        streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId, oldLatitude,
        oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation, oldRating,
        oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource)
    VALUES (
        OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption, OLD.externalId,
        OLD.latitude, OLD.longitude, 8388607, OLD.caption, OLD.alt, OLD.title, OLD.tags, OLD.camera, OLD.location,
        OLD.rating, OLD.takenAtMilliseconds, OLD.utcOffsetMinutes, OLD.takenAtPrecision, OLD.orientation,
        OLD.editedFields, OLD.contentHash, OLD.metricsSource, OLD.color, OLD.placeholder, OLD.lens, OLD.iso,
        OLD.aperture, OLD.exposureTime, OLD.focalLength, OLD.people, OLD.takenAtSource);
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
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource)
    SELECT
        streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude, 8388607,
        caption, alt, title, tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision,
        orientation, editedFields, contentHash, metricsSource, color, placeholder, lens, iso, aperture,
        exposureTime, focalLength, people, takenAtSource
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
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource)
    SELECT
        streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude, 8388607,
        caption, alt, title, tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision,
        orientation, editedFields, contentHash, metricsSource, color, placeholder, lens, iso, aperture,
        exposureTime, focalLength, people, takenAtSource
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
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource)
    SELECT
        streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude, 8388607,
        caption, alt, title, tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision,
        orientation, editedFields, contentHash, metricsSource, color, placeholder, lens, iso, aperture,
        exposureTime, focalLength, people, takenAtSource
    FROM photo WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank
        AND id <> OLD.id;
END;
