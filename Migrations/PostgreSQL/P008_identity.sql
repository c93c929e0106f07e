-- Which database this is, for the replicas that follow it, and what may come into it without the log.

-- A random identity, made once. Standbys, base backups and restored dumps have it, too: they are the same primary.
CREATE TABLE identity (
    id bigint PRIMARY KEY CHECK (id = 1),
    value text COLLATE "C" NOT NULL CHECK (value <> '')
);
INSERT INTO identity VALUES (1, substr(replace(gen_random_uuid()::text, '-', ''), 1, 16));

-- The identities of replicas that an operator lets be built again from this database, whatever they lose by it. An
-- acceptance counts for a day.
CREATE TABLE acceptance (
    identity text COLLATE "C" PRIMARY KEY CHECK (identity <> ''),
    acceptedAt timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Why a server does not follow, or what it leaves out, in one sentence.
ALTER TABLE follower ADD COLUMN problem text COLLATE "C";

-- The workers of logical replication fire row triggers only, so nothing that they apply is logged. Sessions of clients are,
-- also with session_replication_role = replica.
CREATE FUNCTION refuseReplication() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, photostream, pg_temp AS $$
BEGIN
    IF (SELECT backend_type FROM pg_stat_get_activity(pg_backend_pid())) IS DISTINCT FROM 'client backend' THEN
        RAISE feature_not_supported USING MESSAGE = format(
            'rows that logical replication applies to %s are not logged, so no server would see them; '
            'see "photostream primary accept-replication"', TG_TABLE_NAME);
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION refuseReplication() FROM PUBLIC;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['secret', 'stream', 'photo', 'deletedPhoto', 'tombstone', 'importRun', 'importFailure',
        'token', 'share', 'session'] LOOP
        EXECUTE format('CREATE TRIGGER %sRefusesReplication BEFORE INSERT OR UPDATE OR DELETE ON %s
            FOR EACH ROW EXECUTE FUNCTION refuseReplication()', name, name);
        EXECUTE format('ALTER TABLE %s ENABLE REPLICA TRIGGER %sRefusesReplication', name, name);
    END LOOP;
END $$;

-- The same rule without a cast, which fails for other texts, so that rows that break it can be looked for.
ALTER TABLE importRun DROP CONSTRAINT importRunHasSources;
ALTER TABLE importRun ADD CONSTRAINT importRunHasSources CHECK (sources ~
    '^[ \t\n\r]*\[[ \t\n\r]*("([^"\\\u0001-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"[ \t\n\r]*(,[ \t\n\r]*"([^"\\\u0001-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"[ \t\n\r]*)*)?\][ \t\n\r]*$')
    NOT VALID;
