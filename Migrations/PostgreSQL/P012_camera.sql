-- More metadata, the names of people, and the source of each capture time: see V025. Servers of the version before go
-- on with the columns that they know.

ALTER TABLE photo
    ADD COLUMN lens text COLLATE "C",
    ADD COLUMN iso bigint CHECK (iso BETWEEN 1 AND 10000000),
    ADD COLUMN aperture bigint CHECK (aperture BETWEEN 1 AND 100000),
    ADD COLUMN exposureTime bigint CHECK (exposureTime BETWEEN 1 AND 2147000000),
    ADD COLUMN focalLength bigint CHECK (focalLength BETWEEN 1 AND 100000000),
    ADD COLUMN people text COLLATE "C" CHECK (people >= '[' AND people < '\'),
    ADD COLUMN takenAtSource bigint CHECK (takenAtSource BETWEEN 0 AND 255);

ALTER TABLE deletedPhoto
    ADD COLUMN lens text COLLATE "C",
    ADD COLUMN iso bigint,
    ADD COLUMN aperture bigint,
    ADD COLUMN exposureTime bigint,
    ADD COLUMN focalLength bigint,
    ADD COLUMN people text COLLATE "C",
    ADD COLUMN takenAtSource bigint;

ALTER TABLE change
    ADD COLUMN oldLens text COLLATE "C",
    ADD COLUMN oldIso bigint,
    ADD COLUMN oldAperture bigint,
    ADD COLUMN oldExposureTime bigint,
    ADD COLUMN oldFocalLength bigint,
    ADD COLUMN oldPeople text COLLATE "C",
    ADD COLUMN oldTakenAtSource bigint;

-- Neither is logged: the files compute the same. A file's source is on the machine of the file, and unknown here.
ALTER TABLE photo DISABLE TRIGGER photoUpdated;
ALTER TABLE photo DISABLE TRIGGER photoChangesPicture;
ALTER TABLE deletedPhoto DISABLE TRIGGER deletedPhotoUpdated;

UPDATE photo SET takenAtSource = CASE WHEN editedFields & 4 <> 0 THEN 0 ELSE 1 END
WHERE takenAtMilliseconds IS NOT NULL AND (editedFields & 4 <> 0 OR fileFields & 4 = 0);

UPDATE deletedPhoto SET takenAtSource = CASE WHEN editedFields & 4 <> 0 THEN 0 ELSE 1 END
WHERE takenAtMilliseconds IS NOT NULL AND (editedFields & 4 <> 0 OR fileFields & 4 = 0);

ALTER TABLE photo ENABLE ALWAYS TRIGGER photoUpdated;
ALTER TABLE photo ENABLE ALWAYS TRIGGER photoChangesPicture;
ALTER TABLE deletedPhoto ENABLE ALWAYS TRIGGER deletedPhotoUpdated;

CREATE OR REPLACE FUNCTION photoDeleted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp AS $$
DECLARE
    number bigint := (SELECT count(*) FROM oldRow);
    taken record;
BEGIN
    IF number = 0 THEN RETURN NULL; END IF;
    SELECT * INTO taken FROM takePlaces(number);
    INSERT INTO change (
        batch, place, streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera, oldLocation,
        oldRating, oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation, oldEditedFields,
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource)
    SELECT
        taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY id), streamId, id, 1, orderTime, orderRank,
        width, height, (caption IS NOT NULL)::integer, externalId, latitude, longitude, 8388607, caption, alt, title,
        tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision, orientation,
        editedFields, contentHash, metricsSource, color, placeholder, lens, iso, aperture, exposureTime,
        focalLength, people, takenAtSource
    FROM oldRow;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION photoUpdated() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp AS $$
DECLARE
    number bigint;
    idsDiffer boolean;
    streamsDiffer boolean;
    taken record;
BEGIN
    SELECT count(*) + count(*) FILTER (WHERE o.streamId <> n.streamId), bool_or(o.id IS NULL),
        bool_or((o.streamId, o.streamOrder) IS DISTINCT FROM (n.streamId, n.streamOrder))
    INTO number, idsDiffer, streamsDiffer FROM oldRow o FULL JOIN newRow n ON n.id = o.id;
    IF number = 0 THEN RETURN NULL; END IF;
    IF idsDiffer THEN PERFORM passIds('photo', (SELECT max(id) FROM newRow)); END IF;
    IF streamsDiffer THEN
        PERFORM checkStreams(array_agg(streamId), array_agg(streamOrder)) FROM (
            SELECT DISTINCT streamId, streamOrder FROM newRow
            EXCEPT SELECT DISTINCT streamId, streamOrder FROM oldRow) AS used;
    END IF;
    SELECT * INTO taken FROM takePlaces(number);
    INSERT INTO change (
        batch, place, streamId, photoId, kind, newTime, newRank, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption,
        oldExternalId, oldLatitude, oldLongitude, changedColumns, oldCaption, oldAlt, oldTitle, oldTags, oldCamera,
        oldLocation, oldRating, oldTakenAtMilliseconds, oldUtcOffsetMinutes, oldTakenAtPrecision, oldOrientation,
        oldEditedFields, oldContentHash, oldMetricsSource, oldColor, oldPlaceholder, oldLens, oldIso, oldAperture,
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource)
    SELECT taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY photoId, kind = 0), r.*
    FROM (
        SELECT o.streamId, o.id AS photoId, CASE WHEN isWhole THEN 1 ELSE 2 END AS kind,
            CASE WHEN NOT isWhole THEN n.orderTime END, CASE WHEN NOT isWhole THEN n.orderRank END,
            o.orderTime, o.orderRank, o.width, o.height, (o.caption IS NOT NULL)::integer, o.externalId, o.latitude,
            o.longitude,
            CASE WHEN isWhole THEN 8388607 ELSE (o.caption IS DISTINCT FROM n.caption)::integer * 1
                + (o.alt IS DISTINCT FROM n.alt)::integer * 2
                + (o.title IS DISTINCT FROM n.title)::integer * 4
                + (o.tags IS DISTINCT FROM n.tags)::integer * 8
                + (o.camera IS DISTINCT FROM n.camera)::integer * 16
                + (o.location IS DISTINCT FROM n.location)::integer * 32
                + (o.rating IS DISTINCT FROM n.rating)::integer * 64
                + (o.takenAtMilliseconds IS DISTINCT FROM n.takenAtMilliseconds)::integer * 128
                + (o.utcOffsetMinutes IS DISTINCT FROM n.utcOffsetMinutes)::integer * 256
                + (o.takenAtPrecision IS DISTINCT FROM n.takenAtPrecision)::integer * 512
                + (o.orientation IS DISTINCT FROM n.orientation)::integer * 1024
                + (o.editedFields IS DISTINCT FROM n.editedFields)::integer * 2048
                + (o.contentHash IS DISTINCT FROM n.contentHash)::integer * 4096
                + (o.metricsSource IS DISTINCT FROM n.metricsSource)::integer * 8192
                + (o.color IS DISTINCT FROM n.color)::integer * 16384
                + (o.placeholder IS DISTINCT FROM n.placeholder)::integer * 32768
                + (o.lens IS DISTINCT FROM n.lens)::integer * 65536
                + (o.iso IS DISTINCT FROM n.iso)::integer * 131072
                + (o.aperture IS DISTINCT FROM n.aperture)::integer * 262144
                + (o.exposureTime IS DISTINCT FROM n.exposureTime)::integer * 524288
                + (o.focalLength IS DISTINCT FROM n.focalLength)::integer * 1048576
                + (o.people IS DISTINCT FROM n.people)::integer * 2097152
                + (o.takenAtSource IS DISTINCT FROM n.takenAtSource)::integer * 4194304 END,
            CASE WHEN isWhole OR o.caption IS DISTINCT FROM n.caption THEN o.caption END,
            CASE WHEN isWhole OR o.alt IS DISTINCT FROM n.alt THEN o.alt END,
            CASE WHEN isWhole OR o.title IS DISTINCT FROM n.title THEN o.title END,
            CASE WHEN isWhole OR o.tags IS DISTINCT FROM n.tags THEN o.tags END,
            CASE WHEN isWhole OR o.camera IS DISTINCT FROM n.camera THEN o.camera END,
            CASE WHEN isWhole OR o.location IS DISTINCT FROM n.location THEN o.location END,
            CASE WHEN isWhole OR o.rating IS DISTINCT FROM n.rating THEN o.rating END,
            CASE WHEN isWhole OR o.takenAtMilliseconds IS DISTINCT FROM n.takenAtMilliseconds
                THEN o.takenAtMilliseconds END,
            CASE WHEN isWhole OR o.utcOffsetMinutes IS DISTINCT FROM n.utcOffsetMinutes
                THEN o.utcOffsetMinutes END,
            CASE WHEN isWhole OR o.takenAtPrecision IS DISTINCT FROM n.takenAtPrecision
                THEN o.takenAtPrecision END,
            CASE WHEN isWhole OR o.orientation IS DISTINCT FROM n.orientation THEN o.orientation END,
            CASE WHEN isWhole OR o.editedFields IS DISTINCT FROM n.editedFields THEN o.editedFields END,
            CASE WHEN isWhole OR o.contentHash IS DISTINCT FROM n.contentHash THEN o.contentHash END,
            CASE WHEN isWhole OR o.metricsSource IS DISTINCT FROM n.metricsSource THEN o.metricsSource END,
            CASE WHEN isWhole OR o.color IS DISTINCT FROM n.color THEN o.color END,
            CASE WHEN isWhole OR o.placeholder IS DISTINCT FROM n.placeholder THEN o.placeholder END,
            CASE WHEN isWhole OR o.lens IS DISTINCT FROM n.lens THEN o.lens END,
            CASE WHEN isWhole OR o.iso IS DISTINCT FROM n.iso THEN o.iso END,
            CASE WHEN isWhole OR o.aperture IS DISTINCT FROM n.aperture THEN o.aperture END,
            CASE WHEN isWhole OR o.exposureTime IS DISTINCT FROM n.exposureTime THEN o.exposureTime END,
            CASE WHEN isWhole OR o.focalLength IS DISTINCT FROM n.focalLength THEN o.focalLength END,
            CASE WHEN isWhole OR o.people IS DISTINCT FROM n.people THEN o.people END,
            CASE WHEN isWhole OR o.takenAtSource IS DISTINCT FROM n.takenAtSource THEN o.takenAtSource END
        FROM oldRow o LEFT JOIN newRow n ON n.id = o.id,
            LATERAL (SELECT n.streamId IS DISTINCT FROM o.streamId AS isWhole) AS whole
        UNION ALL
        SELECT n.streamId, n.id, 0, n.orderTime, n.orderRank, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM newRow n LEFT JOIN oldRow o ON o.id = n.id
        WHERE o.id IS NULL OR o.streamId <> n.streamId
    ) AS r;
    RETURN NULL;
END $$;
