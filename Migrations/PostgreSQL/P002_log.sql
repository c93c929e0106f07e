-- The log of what transactions changed, for the servers that follow. Triggers write it, so that every program is a valid
-- writer. Revisions are given at commit: commit order is revision order, and an open transaction holds up no other.

-- One row. Its lock is held from the numbering of a transaction to the end of its commit.
CREATE TABLE counter (
    id bigint PRIMARY KEY CHECK (id = 1),
    -- The numbers of the last commit and of its last change.
    commitId bigint NOT NULL,
    revision bigint NOT NULL,
    -- The server and the history in which they were given. In another one, changes that followers have seen may be lost,
    -- and revisions go on far beyond them.
    systemIdentifier bigint NOT NULL,
    timeline bigint NOT NULL,
    -- The last commit whose changes were removed from the log: who has not read them must copy everything.
    trimmedCommitId bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

-- A commit of a transaction that changed something.
CREATE TABLE commit (
    id bigint PRIMARY KEY,
    batch bigint NOT NULL UNIQUE,
    -- The revision of the first of its changes of photos, and their number.
    firstRevision bigint NOT NULL,
    changeCount bigint NOT NULL,
    -- A random number: a follower sees by it that the history it knows is this one, and a writer that its commit
    -- succeeded though its connection broke.
    tag bigint NOT NULL,
    committedAt timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX commitTag ON commit (tag);
CREATE INDEX commitRevision ON commit (firstRevision);

-- What a transaction has changed before it is numbered; no other transaction ever sees such a row.
CREATE TABLE pending (
    xact xid8 PRIMARY KEY,
    batch bigint NOT NULL,
    changeCount bigint NOT NULL
);
CREATE SEQUENCE batch;

-- As the table of the same name of a file. The revision of a row is the first revision of its commit plus its place.
CREATE TABLE change (
    batch bigint NOT NULL,
    place bigint NOT NULL,
    streamId bigint NOT NULL,
    photoId bigint NOT NULL,
    -- 3 only in rows that were loaded from a file.
    kind bigint NOT NULL CHECK (kind BETWEEN 0 AND 3),
    oldTime bigint,
    oldRank bigint,
    newTime bigint,
    newRank bigint,
    oldWidth bigint,
    oldHeight bigint,
    oldHasCaption bigint,
    oldExternalId text COLLATE "C",
    oldLatitude double precision,
    oldLongitude double precision,
    PRIMARY KEY (batch, place)
);

-- The rows of the other tables that a transaction touched. Followers read them again.
CREATE TABLE touched (
    batch bigint NOT NULL,
    tableName text COLLATE "C" NOT NULL,
    rowId bigint NOT NULL,
    PRIMARY KEY (batch, tableName, rowId)
);

-- Locked in EXCLUSIVE mode by a server from before it reads what it decides by until its commit, and in ROW EXCLUSIVE
-- mode by every numbering: nothing is committed in between, and plain SQL waits for no more than one such transaction.
CREATE TABLE writing ();

-- The servers that follow, so that the log is kept for them.
CREATE TABLE follower (
    name text COLLATE "C" PRIMARY KEY,
    commitId bigint NOT NULL,
    revision bigint NOT NULL,
    seenAt timestamptz NOT NULL
);

-- For how many days and how many changes the log is kept, and up to how many for followers that have not read them.
CREATE TABLE retention (
    id bigint PRIMARY KEY CHECK (id = 1),
    days bigint NOT NULL CHECK (days BETWEEN 0 AND 36500),
    changes bigint NOT NULL CHECK (changes >= 0),
    changesForFollowers bigint NOT NULL,
    CHECK (changesForFollowers >= changes)
);
INSERT INTO retention VALUES (1, 7, 10000000, 50000000);

-- Removes commits from the log that are older or farther back than the retention says, and that every follower seen within
-- a day has read or that are too far back even for followers. What a file keeps stays, however old it is: the last 100,000
-- changes and each stream's newest one. Returns the number of removed commits.
CREATE FUNCTION trimLog() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    last record;
    kept record;
    border bigint;
    number bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(8079873617) THEN RETURN 0; END IF;
    SELECT commitId, revision, trimmedCommitId INTO last FROM counter;
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
    SELECT DISTINCT ON (l.streamId) l.batch, l.place FROM change l JOIN commit c ON c.batch = l.batch
    WHERE l.streamId IN (SELECT id FROM stream) ORDER BY l.streamId, c.firstRevision + l.place DESC;
    DELETE FROM touched t USING commit c WHERE c.batch = t.batch AND c.id <= border;
    DELETE FROM change l USING commit c WHERE c.batch = l.batch AND c.id <= border
        AND (l.batch, l.place) NOT IN (SELECT batch, place FROM newest);
    DELETE FROM commit c WHERE c.id <= border AND NOT EXISTS (SELECT FROM change l WHERE l.batch = c.batch);
    GET DIAGNOSTICS number = ROW_COUNT;
    DROP TABLE newest;
    UPDATE counter SET trimmedCommitId = border;
    RETURN number;
END $$;

-- Takes places in this transaction's batch for some changes.
CREATE FUNCTION takePlaces(number bigint, OUT ofBatch bigint, OUT firstPlace bigint)
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE pending SET changeCount = changeCount + number WHERE xact = pg_current_xact_id()
    RETURNING batch, changeCount - number INTO ofBatch, firstPlace;
    IF NOT FOUND THEN
        ofBatch := nextval('batch');
        firstPlace := 0;
        INSERT INTO pending VALUES (pg_current_xact_id(), ofBatch, number);
    END IF;
END $$;

-- Runs at commit, or earlier where SET CONSTRAINTS says so.
CREATE FUNCTION numberBatch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
    RETURNING commitId, revision INTO lastCommit, lastRevision;
    INSERT INTO commit (id, batch, firstRevision, changeCount, tag) VALUES (
        lastCommit, NEW.batch, lastRevision - number + 1, number,
        coalesce(nullif(current_setting('photostream.tag', true), '')::bigint,
            ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 17))::bit(64)::bigint));
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER pendingIsNumbered AFTER INSERT ON pending DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION numberBatch();

-- The streams of photos exist, with the order that the photos say, and they are not deleted meanwhile.
CREATE FUNCTION checkStreams(ids bigint[], orders bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    position integer;
    streamsOrder bigint;
    orderNames text[] := ARRAY['newest first', 'oldest first', 'manual'];
BEGIN
    FOR position IN 1 .. coalesce(array_length(ids, 1), 0) LOOP
        SELECT streamOrder INTO streamsOrder FROM stream WHERE id = ids[position] FOR KEY SHARE;
        IF NOT FOUND THEN
            RAISE foreign_key_violation USING MESSAGE = format('there is no stream %s', ids[position]);
        ELSIF streamsOrder <> orders[position] THEN
            RAISE check_violation USING MESSAGE = format(
                'streamOrder of the photo is %s (%s), but %s (%s) of its stream', orders[position],
                orderNames[orders[position] + 1], streamsOrder, orderNames[streamsOrder + 1]);
        END IF;
    END LOOP;
END $$;

-- Ids that a statement gave itself are never given again.
CREATE FUNCTION passIds(tableName text, lastId bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    sequence regclass := pg_get_serial_sequence(tableName, 'id');
BEGIN
    PERFORM setval(sequence, lastId) WHERE sequence IS NOT NULL AND lastId > coalesce(pg_sequence_last_value(sequence), 0);
END $$;

CREATE FUNCTION photoInserted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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

CREATE FUNCTION photoDeleted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    number bigint := (SELECT count(*) FROM oldRow);
    taken record;
BEGIN
    IF number = 0 THEN RETURN NULL; END IF;
    SELECT * INTO taken FROM takePlaces(number);
    INSERT INTO change (batch, place, streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption,
        oldExternalId, oldLatitude, oldLongitude)
    SELECT taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY id), streamId, id, 1, orderTime, orderRank,
        width, height, (caption IS NOT NULL)::integer, externalId, latitude, longitude
    FROM oldRow;
    RETURN NULL;
END $$;

-- A change of the id or of the stream is a deletion and an insertion.
CREATE FUNCTION photoUpdated() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
    INSERT INTO change (batch, place, streamId, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldHeight,
        oldHasCaption, oldExternalId, oldLatitude, oldLongitude)
    SELECT taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY photoId, kind = 0), r.*
    FROM (
        SELECT o.streamId, o.id AS photoId, CASE WHEN o.streamId = n.streamId THEN 2 ELSE 1 END AS kind,
            o.orderTime, o.orderRank, CASE WHEN o.streamId = n.streamId THEN n.orderTime END,
            CASE WHEN o.streamId = n.streamId THEN n.orderRank END, o.width, o.height,
            (o.caption IS NOT NULL)::integer, o.externalId, o.latitude, o.longitude
        FROM oldRow o LEFT JOIN newRow n ON n.id = o.id
        UNION ALL
        SELECT n.streamId, n.id, 0, NULL, NULL, n.orderTime, n.orderRank, NULL, NULL, NULL, NULL, NULL, NULL
        FROM newRow n LEFT JOIN oldRow o ON o.id = n.id
        WHERE o.id IS NULL OR o.streamId <> n.streamId
    ) AS r;
    RETURN NULL;
END $$;

CREATE FUNCTION refuseTruncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE feature_not_supported USING
        MESSAGE = format('TRUNCATE %s is not logged, so no server would see it; use DELETE', TG_TABLE_NAME);
END $$;

CREATE TRIGGER photoInserted AFTER INSERT ON photo REFERENCING NEW TABLE AS newRow
FOR EACH STATEMENT EXECUTE FUNCTION photoInserted();
CREATE TRIGGER photoDeleted AFTER DELETE ON photo REFERENCING OLD TABLE AS oldRow
FOR EACH STATEMENT EXECUTE FUNCTION photoDeleted();
CREATE TRIGGER photoUpdated AFTER UPDATE ON photo REFERENCING OLD TABLE AS oldRow NEW TABLE AS newRow
FOR EACH STATEMENT EXECUTE FUNCTION photoUpdated();

CREATE FUNCTION streamDeletesPhotos() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM photo WHERE streamId = OLD.id;
    RETURN OLD;
END $$;
CREATE TRIGGER streamDeletesPhotos BEFORE DELETE ON stream FOR EACH ROW EXECUTE FUNCTION streamDeletesPhotos();

CREATE FUNCTION refuseUpdate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE check_violation USING MESSAGE = TG_ARGV[0];
END $$;
CREATE TRIGGER streamKeepsOrder BEFORE UPDATE OF streamOrder ON stream
FOR EACH ROW WHEN (NEW.streamOrder <> OLD.streamOrder) EXECUTE FUNCTION refuseUpdate(
    'the order of a stream is chosen when it is created; photostream streams copy makes another');
CREATE TRIGGER tokenIsUnchangeable BEFORE UPDATE ON token FOR EACH ROW EXECUTE FUNCTION refuseUpdate(
    'a token cannot be changed; revoke it and create another');
CREATE TRIGGER shareIsUnchangeable BEFORE UPDATE ON share FOR EACH ROW EXECUTE FUNCTION refuseUpdate(
    'a share cannot be changed; revoke it and create another');

-- The other shared tables: the ids of the rows that a statement touched.
CREATE FUNCTION touchNew() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE taken record;
BEGIN
    IF NOT EXISTS (SELECT FROM newRow) THEN RETURN NULL; END IF;
    PERFORM passIds(TG_TABLE_NAME, (SELECT max(id) FROM newRow));
    SELECT * INTO taken FROM takePlaces(0);
    INSERT INTO touched SELECT taken.ofBatch, TG_ARGV[0], id FROM newRow ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE FUNCTION touchOld() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE taken record;
BEGIN
    IF NOT EXISTS (SELECT FROM oldRow) THEN RETURN NULL; END IF;
    SELECT * INTO taken FROM takePlaces(0);
    INSERT INTO touched SELECT taken.ofBatch, TG_ARGV[0], id FROM oldRow ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE FUNCTION touchBoth() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE taken record;
BEGIN
    IF NOT EXISTS (SELECT FROM newRow) THEN RETURN NULL; END IF;
    SELECT * INTO taken FROM takePlaces(0);
    INSERT INTO touched
    SELECT taken.ofBatch, TG_ARGV[0], id FROM (SELECT id FROM oldRow UNION SELECT id FROM newRow) AS ids
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['stream', 'token', 'share', 'secret', 'importRun', 'importFailure', 'deletedPhoto'] LOOP
        EXECUTE format('CREATE TRIGGER %sInserted AFTER INSERT ON %s REFERENCING NEW TABLE AS newRow
            FOR EACH STATEMENT EXECUTE FUNCTION touchNew(%L)', name, name, name);
        EXECUTE format('CREATE TRIGGER %sDeleted AFTER DELETE ON %s REFERENCING OLD TABLE AS oldRow
            FOR EACH STATEMENT EXECUTE FUNCTION touchOld(%L)', name, name, name);
        EXECUTE format('CREATE TRIGGER %sUpdated AFTER UPDATE ON %s REFERENCING OLD TABLE AS oldRow NEW TABLE AS newRow
            FOR EACH STATEMENT EXECUTE FUNCTION touchBoth(%L)', name, name, name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['stream', 'photo', 'token', 'share', 'secret', 'importRun', 'importFailure',
        'deletedPhoto', 'change', 'commit', 'touched'] LOOP
        EXECUTE format('CREATE TRIGGER %sIsNotTruncated BEFORE TRUNCATE ON %s
            FOR EACH STATEMENT EXECUTE FUNCTION refuseTruncate()', name, name);
    END LOOP;
END $$;

-- Also where a session is that of a subscription to another server.
DO $$
DECLARE
    own record;
BEGIN
    FOR own IN SELECT tgrelid::regclass AS tableName, tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', own.tableName, own.tgname);
    END LOOP;
END $$;

INSERT INTO counter (id, commitId, revision, systemIdentifier, timeline) VALUES (1, 0, 0, (SELECT system_identifier FROM pg_control_system()),
    ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint);
