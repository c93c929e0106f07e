-- Bounds that hold for all statements of a program together, and for all tables.

-- As before, but the sequence may be a part of its range beyond the last row that was there before, not beyond itself: it does
-- not go back with a statement that fails, so that a loop of them moved it to its end. Short steps are not checked: it would take
-- billions of them.
CREATE OR REPLACE FUNCTION passIds(tableName text, lastId bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, photostream, pg_temp AS $$
DECLARE
    sequence regclass := pg_get_serial_sequence(tableName, 'id');
    lastGiven bigint := coalesce(pg_sequence_last_value(sequence), 0);
    lastBefore bigint;
BEGIN
    IF sequence IS NULL OR lastId <= lastGiven THEN RETURN; END IF;
    IF lastId - lastGiven > 1000 AND lastId > 4294967296 THEN
        -- A row that this transaction has written has its number, or that of a part of it, which is later. Rows of before are the
        -- first of the range, so that this takes one step, however many rows the transaction has written.
        EXECUTE format('SELECT id FROM %I WHERE id BETWEEN $1 AND $2 AND age(xmin) > 0 ORDER BY id LIMIT 1', lower(tableName))
        INTO lastBefore USING lastId - 4294967296, lastId;
        IF lastBefore IS NULL THEN
            EXECUTE format('SELECT max(id) FROM %I WHERE id < $1 AND age(xmin) > 0', lower(tableName))
            INTO lastBefore USING lastId;
            RAISE check_violation USING MESSAGE = format(
                'the id %s of a row of %s is more than 4294967296 beyond the last one, %s; leave the id out', lastId,
                tableName, coalesce(lastBefore, 0));
        END IF;
    END IF;
    PERFORM setval(sequence, lastId);
END $$;

-- The bytes of rows of a table, by their ids.
CREATE FUNCTION byteCount(tableName text, ids bigint[]) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, photostream, pg_temp SET enable_seqscan = off AS $$
DECLARE
    number bigint;
BEGIN
    EXECUTE format('SELECT sum(octet_length(t::text)) FROM %I AS t WHERE id = ANY ($1)', lower(tableName))
    INTO number USING ids;
    RETURN coalesce(number, 0);
END $$;

-- Whether what was committed after a commit is so little, 64 KB at most, that a server may read it while others wait.
CREATE OR REPLACE FUNCTION newsIsShort(lastCommitId bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, photostream, pg_temp SET enable_seqscan = off AS $$
DECLARE
    batches bigint[];
    number bigint;
    logged bigint;
    photos bigint[];
BEGIN
    SELECT array_agg(batch), sum(changeCount) INTO batches, number
    FROM (SELECT batch, changeCount FROM commit WHERE id > lastCommitId ORDER BY id LIMIT 101) AS news;
    IF batches IS NULL THEN RETURN true; END IF;
    IF cardinality(batches) > 100 OR number > 100 THEN RETURN false; END IF;
    SELECT count(*) INTO number FROM (
        SELECT FROM unnest(batches) AS b (batch)
        CROSS JOIN LATERAL (SELECT FROM touched WHERE touched.batch = b.batch OFFSET 0) AS t LIMIT 101) AS rows;
    IF number > 100 THEN RETURN false; END IF;
    SELECT coalesce(sum(octet_length(l.asText)), 0), array_agg(l.photoId) INTO logged, photos
    FROM unnest(batches) AS b (batch)
    CROSS JOIN LATERAL (SELECT photoId, change::text AS asText FROM change WHERE change.batch = b.batch OFFSET 0) AS l;
    IF logged > 65536 THEN RETURN false; END IF;
    SELECT logged + byteCount('photo', photos) + coalesce(sum(byteCount(t.tableName, t.ids)), 0) INTO number
    FROM (
        SELECT t.tableName, array_agg(t.rowId) AS ids FROM unnest(batches) AS b (batch)
        CROSS JOIN LATERAL (SELECT tableName, rowId FROM touched WHERE touched.batch = b.batch OFFSET 0) AS t
        GROUP BY t.tableName
    ) AS t;
    RETURN number <= 65536;
END $$;

REVOKE EXECUTE ON FUNCTION byteCount(text, bigint[]) FROM PUBLIC;
