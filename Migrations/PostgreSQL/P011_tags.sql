-- What a role of people may set or lock does not matter to the log.

-- As before, but only a role of the owner's chooses the tag of its commit, by which histories are distinguished.
CREATE OR REPLACE FUNCTION numberBatch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp SET enable_seqscan = off AS $$
DECLARE
    number bigint;
    lastCommit bigint;
    lastRevision bigint;
    chosen text;
BEGIN
    DELETE FROM pending WHERE batch = NEW.batch AND xact = NEW.xact RETURNING changeCount INTO number;
    IF NOT FOUND THEN RETURN NULL; END IF;
    LOCK TABLE writing IN ROW EXCLUSIVE MODE;
    UPDATE counter SET commitId = commitId + 1, revision = revision + number,
        systemIdentifier = (SELECT system_identifier FROM pg_control_system()),
        timeline = ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint
    WHERE id = 1 RETURNING commitId, revision INTO lastCommit, lastRevision;
    IF pg_has_role(session_user, current_user, 'USAGE') THEN
        chosen := nullif(current_setting('photostream.tag', true), '');
    END IF;
    INSERT INTO commit (id, batch, firstRevision, changeCount, tag) VALUES (
        lastCommit, NEW.batch, lastRevision - number + 1, number,
        coalesce(chosen::bigint, ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 17))::bit(64)::bigint));
    RETURN NULL;
END $$;

-- As before, but one transaction at a time holds a row: an advisory lock could be held by any role.
CREATE OR REPLACE FUNCTION trimLog() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp AS $$
DECLARE
    last record;
    kept record;
    border bigint;
    number bigint;
BEGIN
    SELECT * INTO kept FROM retention FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN 0; END IF;
    SELECT commitId, revision, trimmedCommitId INTO last FROM counter WHERE id = 1;
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
