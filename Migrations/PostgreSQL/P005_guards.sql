-- What a role of people may do: write photos, and nothing by way of the functions that log for it.

-- The order time of V009 with its names resolved now, not by the session that calls it.
CREATE OR REPLACE FUNCTION ownOrderTime(streamOrder bigint, takenAt bigint, utcOffset bigint, takenAtPrecision bigint)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN streamOrder = 2 THEN 0
    WHEN takenAt BETWEEN -62135661600000 AND 253402365599999
    THEN ((takenAt + coalesce(utcOffset, 0) * 60000) * 4
        + CASE takenAtPrecision WHEN 0 THEN 0 WHEN 1 THEN 1 ELSE 2 END) * (1 - 2 * streamOrder)
    ELSE (-9223372036854775808)::bigint
END;

-- As before, without a temporary table: its name could be another session's own table, and its role needs no right to create one.
CREATE OR REPLACE FUNCTION trimLog() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    last record;
    kept record;
    border bigint;
    number bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(8079873617) THEN RETURN 0; END IF;
    SELECT commitId, revision, trimmedCommitId INTO last FROM counter WHERE id = 1;
    SELECT * INTO kept FROM retention;
    -- Without rows, a maximum is NULL, which least() and greatest() ignore.
    SELECT coalesce(max(id), 0) INTO border FROM commit
    WHERE id > last.trimmedCommitId AND (committedAt < now() - kept.days * interval '1 day'
        OR firstRevision + changeCount - 1 <= last.revision - kept.changes);
    border := least(border, (SELECT min(commitId) FROM follower WHERE seenAt > now() - interval '1 day'));
    border := greatest(border,
        (SELECT max(id) FROM commit WHERE firstRevision + changeCount - 1 <= last.revision - kept.changesForFollowers));
    border := least(border,
        coalesce((SELECT max(id) FROM commit WHERE firstRevision + changeCount - 1 <= last.revision - 100000), 0));
    IF border <= last.trimmedCommitId THEN RETURN 0; END IF;
    DELETE FROM touched t USING commit c WHERE c.batch = t.batch AND c.id <= border;
    -- Each stream keeps its newest row of those that are looked at.
    WITH newest AS MATERIALIZED (
        SELECT DISTINCT ON (l.streamId) l.batch, l.place FROM commit c JOIN change l ON l.batch = c.batch
        WHERE c.id <= border AND l.streamId IN (SELECT id FROM stream) ORDER BY l.streamId, c.firstRevision + l.place DESC
    )
    DELETE FROM change l USING commit c WHERE c.batch = l.batch AND c.id <= border
        AND (l.batch, l.place) NOT IN (SELECT batch, place FROM newest);
    DELETE FROM commit c WHERE c.id < border AND NOT EXISTS (SELECT FROM change l WHERE l.batch = c.batch);
    GET DIAGNOSTICS number = ROW_COUNT;
    UPDATE counter SET trimmedCommitId = border WHERE id = 1;
    RETURN number;
END $$;

-- Ids that a statement gave itself are never given again. The sequence does not go back with a statement that fails, so one
-- statement moves it by a part of its range only.
CREATE OR REPLACE FUNCTION passIds(tableName text, lastId bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    sequence regclass := pg_get_serial_sequence(tableName, 'id');
    lastGiven bigint := coalesce(pg_sequence_last_value(sequence), 0);
BEGIN
    IF sequence IS NULL OR lastId <= lastGiven THEN RETURN; END IF;
    IF lastId - lastGiven > 4294967296 THEN
        RAISE check_violation USING MESSAGE = format(
            'the id %s of a row of %s is more than 4294967296 beyond the last one, %s; leave the id out', lastId, tableName,
            lastGiven);
    END IF;
    PERFORM setval(sequence, lastId);
END $$;

-- An id that an update gives counts like one that an insertion gives, or a server would number its next row beyond it.
CREATE OR REPLACE FUNCTION touchBoth() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE taken record;
BEGIN
    IF NOT EXISTS (SELECT FROM newRow) THEN RETURN NULL; END IF;
    PERFORM passIds(TG_TABLE_NAME, (SELECT max(id) FROM newRow));
    SELECT * INTO taken FROM takePlaces(0);
    INSERT INTO touched
    SELECT taken.ofBatch, TG_ARGV[0], id FROM (SELECT id FROM oldRow UNION SELECT id FROM newRow) AS ids
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

-- After a copy of a whole table, all rows of which are there to stay.
CREATE FUNCTION passLoadedIds(tableName text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    sequence regclass := pg_get_serial_sequence(tableName, 'id');
    lastId bigint;
BEGIN
    EXECUTE format('SELECT max(id) FROM %I', lower(tableName)) INTO lastId;
    PERFORM setval(sequence, lastId) WHERE sequence IS NOT NULL AND lastId > coalesce(pg_sequence_last_value(sequence), 0);
END $$;

-- Plans look the rows of a batch up, however few batches there were when the statistics were taken: all rows of a loaded log
-- are one batch.
ALTER TABLE change ALTER COLUMN batch SET (n_distinct = -0.5);
ALTER TABLE touched ALTER COLUMN batch SET (n_distinct = -0.5);

-- Whether what was committed after a commit is so little, 64 KB at most, that a server may read it while others wait.
CREATE FUNCTION newsIsShort(lastCommitId bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, photostream, pg_temp SET enable_seqscan = off AS $$
DECLARE
    batches bigint[];
    number bigint;
    byteCount bigint;
BEGIN
    SELECT array_agg(batch), sum(changeCount) INTO batches, number
    FROM (SELECT batch, changeCount FROM commit WHERE id > lastCommitId ORDER BY id LIMIT 101) AS news;
    IF batches IS NULL THEN RETURN true; END IF;
    IF cardinality(batches) > 100 OR number > 100 THEN RETURN false; END IF;
    SELECT count(*) INTO number FROM (
        SELECT FROM unnest(batches) AS b (batch)
        CROSS JOIN LATERAL (SELECT FROM touched WHERE touched.batch = b.batch OFFSET 0) AS t LIMIT 101) AS rows;
    IF number > 100 THEN RETURN false; END IF;
    WITH log AS MATERIALIZED (
        SELECT l.photoId, octet_length(l.asText) AS size FROM unnest(batches) AS b (batch)
        CROSS JOIN LATERAL (
            SELECT photoId, change::text AS asText FROM change WHERE change.batch = b.batch OFFSET 0) AS l
    ), rows AS MATERIALIZED (
        SELECT t.tableName, t.rowId FROM unnest(batches) AS b (batch)
        CROSS JOIN LATERAL (SELECT tableName, rowId FROM touched WHERE touched.batch = b.batch OFFSET 0) AS t
    )
    SELECT sum(size) INTO byteCount FROM (
        SELECT size FROM log
        UNION ALL SELECT octet_length(photo::text) FROM photo WHERE id = ANY (ARRAY(SELECT photoId FROM log))
        UNION ALL SELECT octet_length(deletedPhoto::text) FROM deletedPhoto
            WHERE id = ANY (ARRAY(SELECT rowId FROM rows WHERE tableName = 'deletedPhoto'))
        UNION ALL SELECT octet_length(importRun::text) FROM importRun
            WHERE id = ANY (ARRAY(SELECT rowId FROM rows WHERE tableName = 'importRun'))
        UNION ALL SELECT octet_length(importFailure::text) FROM importFailure
            WHERE id = ANY (ARRAY(SELECT rowId FROM rows WHERE tableName = 'importFailure'))
    ) AS sizes;
    RETURN coalesce(byteCount, 0) <= 65536;
END $$;

-- What files refuse, also here, so that no server stops at a new row that it cannot hold. Rows that are there stay.
ALTER TABLE photo ADD CONSTRAINT photoHasStream FOREIGN KEY (streamId) REFERENCES stream (id) NOT VALID;
ALTER TABLE importRun ADD CONSTRAINT importRunHasSources CHECK (
    json_typeof(sources::json) = 'array'
    AND sources ~ '^\s*\[\s*("([^"\\]|\\.)*"\s*(,\s*"([^"\\]|\\.)*"\s*)*)?\]\s*$') NOT VALID;

-- A function that runs with the rights of its owner, or is called by one, must not find a table, a type or an operator of
-- the session's own: PostgreSQL looks into pg_temp first, unless the path names it.
DO $$
DECLARE
    own record;
BEGIN
    FOR own IN SELECT oid::regprocedure AS signature FROM pg_proc
        WHERE pronamespace = 'photostream'::regnamespace AND prosqlbody IS NULL LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, photostream, pg_temp', own.signature);
    END LOOP;
END $$;

-- A trigger of a temporary table could call them with rows that no photo has. The triggers of our tables need no right, but
-- the generated column of photos does.
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA photostream FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ownOrderTime(bigint, bigint, bigint, bigint) TO PUBLIC;
