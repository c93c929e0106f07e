-- Keeps numbering and trimming fast, however long a transaction stays open and the log is.

-- As before, in one statement.
CREATE OR REPLACE FUNCTION takePlaces(number bigint, OUT ofBatch bigint, OUT firstPlace bigint)
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pending AS own VALUES (pg_current_xact_id(), nextval('batch'), number)
    ON CONFLICT (xact) DO UPDATE SET changeCount = own.changeCount + number
    RETURNING batch, changeCount - number INTO ofBatch, firstPlace;
END $$;

-- As before, except that the counter's row is found by its index: while any transaction is open, the former versions of the row stay,
-- and reading the whole table takes the longer the more there are. A session plans its statements once, perhaps while the table is so
-- short that reading all of it looks cheaper.
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

-- As before, except that the last removed commit keeps its row, by which a follower that has read just that far is recognised, and
-- that only what is removed is looked at, so that the time does not grow with the log: each stream keeps its newest row of that.
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
    CREATE TEMP TABLE newest ON COMMIT DROP AS
    SELECT DISTINCT ON (l.streamId) l.batch, l.place FROM commit c JOIN change l ON l.batch = c.batch
    WHERE c.id <= border AND l.streamId IN (SELECT id FROM stream) ORDER BY l.streamId, c.firstRevision + l.place DESC;
    DELETE FROM touched t USING commit c WHERE c.batch = t.batch AND c.id <= border;
    DELETE FROM change l USING commit c WHERE c.batch = l.batch AND c.id <= border
        AND (l.batch, l.place) NOT IN (SELECT batch, place FROM newest);
    DELETE FROM commit c WHERE c.id < border AND NOT EXISTS (SELECT FROM change l WHERE l.batch = c.batch);
    GET DIAGNOSTICS number = ROW_COUNT;
    DROP TABLE newest;
    UPDATE counter SET trimmedCommitId = border;
    RETURN number;
END $$;
