-- Finds the counter's row by its index. Any transaction that stays open keeps the former versions of the row, and reading the whole
-- table, which numbering did until now, takes the longer the more there are.

CREATE OR REPLACE FUNCTION takePlaces(number bigint, OUT ofBatch bigint, OUT firstPlace bigint)
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pending AS own VALUES (pg_current_xact_id(), nextval('batch'), number)
    ON CONFLICT (xact) DO UPDATE SET changeCount = own.changeCount + number
    RETURNING batch, changeCount - number INTO ofBatch, firstPlace;
END $$;

-- A session plans its statements once, perhaps while the table is so short that reading all of it looks cheaper.
CREATE OR REPLACE FUNCTION numberBatch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
    number bigint;
    lastCommit bigint;
    lastRevision bigint;
    system bigint := (SELECT system_identifier FROM pg_control_system());
    line bigint := ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint;
BEGIN
    DELETE FROM pending WHERE batch = NEW.batch AND xact = NEW.xact RETURNING changeCount INTO number;
    IF NOT FOUND THEN RETURN NULL; END IF;
    LOCK TABLE writing IN ROW EXCLUSIVE MODE;
    UPDATE counter SET
        commitId = commitId + 1,
        revision = revision + number
            + CASE WHEN systemIdentifier = system AND timeline = line THEN 0 ELSE 4294967296 END,
        systemIdentifier = system, timeline = line
    WHERE id = 1 RETURNING commitId, revision INTO lastCommit, lastRevision;
    INSERT INTO commit (id, batch, firstRevision, changeCount, tag) VALUES (
        lastCommit, NEW.batch, lastRevision - number + 1, number,
        coalesce(nullif(current_setting('photostream.tag', true), '')::bigint,
            ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 17))::bit(64)::bigint));
    RETURN NULL;
END $$;
