-- Flags and albums: see V030. Servers of the version before go on with the columns that they know.

ALTER TABLE photo ADD COLUMN favourite bigint NOT NULL DEFAULT 0 CHECK (favourite IN (0, 1));
ALTER TABLE photo ADD COLUMN archived bigint NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));
ALTER TABLE photo ADD COLUMN albums text COLLATE "C" CHECK (albums >= '[' AND albums < '\');
ALTER TABLE deletedPhoto ADD COLUMN favourite bigint NOT NULL DEFAULT 0;
ALTER TABLE deletedPhoto ADD COLUMN albums text COLLATE "C";
ALTER TABLE deletedPhoto ADD COLUMN archived bigint NOT NULL DEFAULT 0;
ALTER TABLE change ADD COLUMN oldFavourite bigint;
ALTER TABLE change ADD COLUMN oldAlbums text COLLATE "C";
ALTER TABLE change ADD COLUMN oldArchived bigint;

-- The functions of P014, with the new columns.

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
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource, oldDuration, oldCodec, oldStack,
        oldStackRank, oldStackKind, oldFavourite, oldAlbums, oldArchived)
    SELECT
        taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY id), streamId, id, 1,
        CASE WHEN stackRank = 0 THEN orderTime END, CASE WHEN stackRank = 0 THEN orderRank END,
        width, height, (caption IS NOT NULL)::integer, externalId, latitude, longitude, 2147483647, caption, alt, title,
        tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision, orientation,
        editedFields, contentHash, metricsSource, color, placeholder, lens, iso, aperture, exposureTime,
        focalLength, people, takenAtSource, duration, codec, stack, stackRank, stackKind, favourite, albums,
        archived
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
        oldExposureTime, oldFocalLength, oldPeople, oldTakenAtSource, oldDuration, oldCodec, oldStack,
        oldStackRank, oldStackKind, oldFavourite, oldAlbums, oldArchived)
    -- What leaves a place comes before what takes it.
    SELECT taken.ofBatch, taken.firstPlace - 1
        + row_number() OVER (ORDER BY CASE kind WHEN 1 THEN 0 WHEN 2 THEN 1 ELSE 2 END, photoId), r.*
    FROM (
        SELECT o.streamId, o.id AS photoId, CASE WHEN isWhole THEN 1 ELSE 2 END AS kind,
            CASE WHEN NOT isWhole AND n.stackRank = 0 THEN n.orderTime END,
            CASE WHEN NOT isWhole AND n.stackRank = 0 THEN n.orderRank END,
            CASE WHEN o.stackRank = 0 THEN o.orderTime END, CASE WHEN o.stackRank = 0 THEN o.orderRank END,
            o.width, o.height, (o.caption IS NOT NULL)::integer, o.externalId, o.latitude,
            o.longitude,
            CASE WHEN isWhole THEN 2147483647 ELSE (o.caption IS DISTINCT FROM n.caption)::integer * 1
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
                + (o.takenAtSource IS DISTINCT FROM n.takenAtSource)::integer * 4194304
                + (o.duration IS DISTINCT FROM n.duration)::integer * 8388608
                + (o.codec IS DISTINCT FROM n.codec)::integer * 16777216
                + (o.stack IS DISTINCT FROM n.stack)::integer * 33554432
                + (o.stackRank IS DISTINCT FROM n.stackRank)::integer * 67108864
                + (o.stackKind IS DISTINCT FROM n.stackKind)::integer * 134217728
                + (o.favourite IS DISTINCT FROM n.favourite)::integer * 268435456
                + (o.albums IS DISTINCT FROM n.albums)::integer * 536870912
                + (o.archived IS DISTINCT FROM n.archived)::integer * 1073741824 END,
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
            CASE WHEN isWhole OR o.takenAtSource IS DISTINCT FROM n.takenAtSource THEN o.takenAtSource END,
            CASE WHEN isWhole OR o.duration IS DISTINCT FROM n.duration THEN o.duration END,
            CASE WHEN isWhole OR o.codec IS DISTINCT FROM n.codec THEN o.codec END,
            CASE WHEN isWhole OR o.stack IS DISTINCT FROM n.stack THEN o.stack END,
            CASE WHEN isWhole OR o.stackRank IS DISTINCT FROM n.stackRank THEN o.stackRank END,
            CASE WHEN isWhole OR o.stackKind IS DISTINCT FROM n.stackKind THEN o.stackKind END,
            CASE WHEN isWhole OR o.favourite IS DISTINCT FROM n.favourite THEN o.favourite END,
            CASE WHEN isWhole OR o.albums IS DISTINCT FROM n.albums THEN o.albums END,
            CASE WHEN isWhole OR o.archived IS DISTINCT FROM n.archived THEN o.archived END
        FROM oldRow o LEFT JOIN newRow n ON n.id = o.id,
            LATERAL (
                SELECT n.streamId IS DISTINCT FROM o.streamId OR o.stackRank = 0 AND n.stackRank > 0 AS isWhole
            ) AS whole
        WHERE (n.streamId = o.streamId AND o.stackRank > 0 AND n.stackRank = 0) IS NOT TRUE
        UNION ALL
        SELECT n.streamId, n.id, 0, CASE WHEN n.stackRank = 0 THEN n.orderTime END,
            CASE WHEN n.stackRank = 0 THEN n.orderRank END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM newRow n LEFT JOIN oldRow o ON o.id = n.id
        WHERE o.id IS NULL OR o.streamId <> n.streamId OR o.stackRank > 0 AND n.stackRank = 0
    ) AS r;
    RETURN NULL;
END $$;
