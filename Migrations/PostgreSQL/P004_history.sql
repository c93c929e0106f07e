-- The log with the identity of its history and with the values that it needs to undo a change: see V018. Servers of the
-- version before go on with the columns that they know.

ALTER TABLE change
    -- Only in rows that were loaded from a file; the tag of all others is that of their commit.
    ADD COLUMN tag bigint,
    ADD COLUMN changedColumns bigint,
    ADD COLUMN oldCaption text COLLATE "C",
    ADD COLUMN oldAlt text COLLATE "C",
    ADD COLUMN oldTitle text COLLATE "C",
    ADD COLUMN oldTags text COLLATE "C",
    ADD COLUMN oldCamera text COLLATE "C",
    ADD COLUMN oldLocation text COLLATE "C",
    ADD COLUMN oldRating bigint,
    ADD COLUMN oldTakenAtMilliseconds bigint,
    ADD COLUMN oldUtcOffsetMinutes bigint,
    ADD COLUMN oldTakenAtPrecision bigint,
    ADD COLUMN oldOrientation bigint,
    ADD COLUMN oldEditedFields bigint,
    ADD COLUMN oldContentHash text COLLATE "C",
    ADD COLUMN oldMetricsSource bigint,
    ADD COLUMN oldColor bigint,
    ADD COLUMN oldPlaceholder text COLLATE "C";

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
    SELECT taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY id), streamId, id, 0, orderTime, orderRank
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
        oldContentHash, oldMetricsSource, oldColor, oldPlaceholder)
    SELECT
        taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY id), streamId, id, 1, orderTime, orderRank,
        width, height, (caption IS NOT NULL)::integer, externalId, latitude, longitude, 65535, caption, alt, title,
        tags, camera, location, rating, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision, orientation,
        editedFields, contentHash, metricsSource, color, placeholder
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
        oldEditedFields, oldContentHash, oldMetricsSource, oldColor, oldPlaceholder)
    SELECT taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY photoId, kind = 0), r.*
    FROM (
        SELECT o.streamId, o.id AS photoId, CASE WHEN isWhole THEN 1 ELSE 2 END AS kind,
            CASE WHEN NOT isWhole THEN n.orderTime END, CASE WHEN NOT isWhole THEN n.orderRank END,
            o.orderTime, o.orderRank, o.width, o.height, (o.caption IS NOT NULL)::integer, o.externalId, o.latitude,
            o.longitude,
            CASE WHEN isWhole THEN 65535 ELSE (o.caption IS DISTINCT FROM n.caption)::integer * 1
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
                + (o.placeholder IS DISTINCT FROM n.placeholder)::integer * 32768 END,
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
            CASE WHEN isWhole OR o.placeholder IS DISTINCT FROM n.placeholder THEN o.placeholder END
        FROM oldRow o LEFT JOIN newRow n ON n.id = o.id,
            LATERAL (SELECT n.streamId IS DISTINCT FROM o.streamId AS isWhole) AS whole
        UNION ALL
        SELECT n.streamId, n.id, 0, n.orderTime, n.orderRank, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM newRow n LEFT JOIN oldRow o ON o.id = n.id
        WHERE o.id IS NULL OR o.streamId <> n.streamId
    ) AS r;
    RETURN NULL;
END $$;

-- As before, except that revisions are consecutive in another history, too: after the promotion of a standby or the
-- restore of a backup, a revision may be given a second time, but with another tag, which clients and servers compare.
CREATE OR REPLACE FUNCTION numberBatch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp SET enable_seqscan = off AS $$
DECLARE
    number bigint;
    lastCommit bigint;
    lastRevision bigint;
BEGIN
    DELETE FROM pending WHERE batch = NEW.batch AND xact = NEW.xact RETURNING changeCount INTO number;
    IF NOT FOUND THEN RETURN NULL; END IF;
    LOCK TABLE writing IN ROW EXCLUSIVE MODE;
    UPDATE counter SET commitId = commitId + 1, revision = revision + number,
        systemIdentifier = (SELECT system_identifier FROM pg_control_system()),
        timeline = ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint
    WHERE id = 1 RETURNING commitId, revision INTO lastCommit, lastRevision;
    INSERT INTO commit (id, batch, firstRevision, changeCount, tag) VALUES (
        lastCommit, NEW.batch, lastRevision - number + 1, number,
        coalesce(nullif(current_setting('photostream.tag', true), '')::bigint,
            ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 17))::bit(64)::bigint));
    RETURN NULL;
END $$;
