-- Videos and stacks: see V027. Servers of the version before go on with the columns that they know, and show hidden photos.

ALTER TABLE photo
    ADD COLUMN duration bigint CHECK (duration BETWEEN 0 AND 2147000000),
    ADD COLUMN codec text COLLATE "C",
    ADD COLUMN stack text COLLATE "C" CHECK (stack <> ''),
    ADD COLUMN stackKind bigint CHECK (stackKind BETWEEN 0 AND 255),
    ADD COLUMN stackRank bigint NOT NULL DEFAULT 0 CHECK (stackRank BETWEEN 0 AND 500),
    ADD CHECK (stackRank = 0 OR (stack IS NOT NULL AND movedTime IS NULL)),
    ADD CHECK ((stack IS NULL) = (stackKind IS NULL));

ALTER TABLE deletedPhoto
    ADD COLUMN duration bigint,
    ADD COLUMN codec text COLLATE "C",
    ADD COLUMN stack text COLLATE "C",
    ADD COLUMN stackKind bigint,
    ADD COLUMN stackRank bigint NOT NULL DEFAULT 0;

ALTER TABLE change
    ADD COLUMN oldDuration bigint,
    ADD COLUMN oldCodec text COLLATE "C",
    ADD COLUMN oldStack text COLLATE "C",
    ADD COLUMN oldStackRank bigint,
    ADD COLUMN oldStackKind bigint;

CREATE INDEX photoStack ON photo (streamId, stack, stackRank, id) WHERE stack IS NOT NULL;

CREATE OR REPLACE FUNCTION photoInserted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp AS $$
DECLARE
    number bigint := (SELECT count(*) FROM newRow);
    taken record;
BEGIN
    IF number = 0 THEN RETURN NULL; END IF;
    PERFORM checkStreams(array_agg(streamId), array_agg(streamOrder))
    FROM (SELECT DISTINCT streamId, streamOrder FROM newRow) AS used;
    PERFORM passIds('photo', (SELECT max(id) FROM newRow));
    SELECT * INTO taken FROM takePlaces(number);
    INSERT INTO change (batch, place, streamId, photoId, kind, newTime, newRank)
    SELECT taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY id), streamId, id, 0,
        CASE WHEN stackRank = 0 THEN orderTime END, CASE WHEN stackRank = 0 THEN orderRank END
    FROM newRow;
    RETURN NULL;
END $$;

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
        oldStackRank, oldStackKind)
    SELECT
        taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY id), streamId, id, 1,
        CASE WHEN stackRank = 0 THEN orderTime END, CASE WHEN stackRank = 0 THEN orderRank END,
        width, height, (caption IS NOT NULL)::integer, externalId, latitude, longitude, 268435455, caption, alt, title,
        tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision, orientation,
        editedFields, contentHash, metricsSource, color, placeholder, lens, iso, aperture, exposureTime,
        focalLength, people, takenAtSource, duration, codec, stack, stackRank, stackKind
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
        oldStackRank, oldStackKind)
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
            CASE WHEN isWhole THEN 268435455 ELSE (o.caption IS DISTINCT FROM n.caption)::integer * 1
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
                + (o.stackKind IS DISTINCT FROM n.stackKind)::integer * 134217728 END,
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
            CASE WHEN isWhole OR o.stackKind IS DISTINCT FROM n.stackKind THEN o.stackKind END
        FROM oldRow o LEFT JOIN newRow n ON n.id = o.id,
            LATERAL (
                SELECT n.streamId IS DISTINCT FROM o.streamId OR o.stackRank = 0 AND n.stackRank > 0 AS isWhole
            ) AS whole
        WHERE (n.streamId = o.streamId AND o.stackRank > 0 AND n.stackRank = 0) IS NOT TRUE
        UNION ALL
        SELECT n.streamId, n.id, 0, CASE WHEN n.stackRank = 0 THEN n.orderTime END,
            CASE WHEN n.stackRank = 0 THEN n.orderRank END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM newRow n LEFT JOIN oldRow o ON o.id = n.id
        WHERE o.id IS NULL OR o.streamId <> n.streamId OR o.stackRank > 0 AND n.stackRank = 0
    ) AS r;
    RETURN NULL;
END $$;

-- A stack always has exactly one cover, whatever program writes. Of several new ones, the last row counts.
CREATE FUNCTION keepCovers(touched photo[], former photo[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE photo AS p SET stackRank = 1, movedTime = NULL, movedRank = NULL, movedFromOrderTime = NULL
    FROM (
        SELECT streamId, stack, max(id) AS cover FROM unnest(touched) WHERE stackRank = 0 GROUP BY streamId, stack
    ) AS written
    WHERE p.streamId = written.streamId AND p.stack = written.stack AND p.stackRank = 0 AND p.id <> written.cover;
    -- The next photo takes over the move of a cover that was deleted or hidden, so that it shows in the same place.
    UPDATE photo AS p SET stackRank = 0, movedTime = gone.movedTime, movedRank = gone.movedRank,
        movedFromOrderTime = CASE WHEN gone.movedTime IS NOT NULL THEN
            ownOrderTime(p.streamOrder, p.takenAtMilliseconds, p.utcOffsetMinutes, p.takenAtPrecision) END
    FROM (
        SELECT DISTINCT ON (s.streamId, s.stack)
            (SELECT id FROM photo WHERE streamId = s.streamId AND stack = s.stack ORDER BY stackRank, id LIMIT 1) AS id,
            o.movedTime, o.movedRank
        FROM (
            SELECT streamId, stack FROM unnest(touched) UNION SELECT streamId, stack FROM unnest(former)
        ) AS s
        LEFT JOIN unnest(former) AS o ON o.streamId = s.streamId AND o.stack = s.stack AND o.stackRank = 0
            AND o.orderTime = o.movedTime AND o.orderRank = o.movedRank
            AND NOT EXISTS (SELECT FROM photo WHERE id = o.id AND stackRank = 0)
        ORDER BY s.streamId, s.stack, o.id
    ) AS gone
    WHERE p.id = gone.id AND p.stackRank > 0;
END $$;

CREATE FUNCTION stackInserted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp AS $$
DECLARE
    touched photo[] := (SELECT array_agg(n) FROM newRow n WHERE stack IS NOT NULL);
BEGIN
    IF touched IS NOT NULL THEN PERFORM keepCovers(touched, ARRAY[]::photo[]); END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER stackInserted AFTER INSERT ON photo REFERENCING NEW TABLE AS newRow
FOR EACH STATEMENT EXECUTE FUNCTION stackInserted();

CREATE FUNCTION stackDeleted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp AS $$
DECLARE
    former photo[] := (SELECT array_agg(o) FROM oldRow o WHERE stack IS NOT NULL AND stackRank = 0);
BEGIN
    IF former IS NOT NULL THEN PERFORM keepCovers(ARRAY[]::photo[], former); END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER stackDeleted AFTER DELETE ON photo REFERENCING OLD TABLE AS oldRow
FOR EACH STATEMENT EXECUTE FUNCTION stackDeleted();

CREATE FUNCTION stackUpdated() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp AS $$
DECLARE
    touched photo[] := (SELECT array_agg(n) FROM newRow n WHERE stack IS NOT NULL);
    former photo[] := (SELECT array_agg(o) FROM oldRow o WHERE stack IS NOT NULL);
BEGIN
    IF touched IS NOT NULL OR former IS NOT NULL THEN
        PERFORM keepCovers(coalesce(touched, ARRAY[]::photo[]), coalesce(former, ARRAY[]::photo[]));
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER stackUpdated AFTER UPDATE ON photo REFERENCING OLD TABLE AS oldRow NEW TABLE AS newRow
FOR EACH STATEMENT EXECUTE FUNCTION stackUpdated();

ALTER FUNCTION keepCovers(photo[], photo[]) SET search_path = pg_catalog, photostream, pg_temp;
ALTER TABLE photo ENABLE ALWAYS TRIGGER stackInserted;
ALTER TABLE photo ENABLE ALWAYS TRIGGER stackDeleted;
ALTER TABLE photo ENABLE ALWAYS TRIGGER stackUpdated;

-- As for the functions of the scripts before.
REVOKE EXECUTE ON FUNCTION keepCovers(photo[], photo[]), stackInserted(), stackDeleted(), stackUpdated() FROM PUBLIC;
