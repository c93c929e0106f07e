-- Kept views: see V033. Servers of the version before go on with the columns that they know.

ALTER TABLE stream ADD COLUMN sourceId bigint CONSTRAINT keptViewHasSource REFERENCES stream (id);
ALTER TABLE stream ADD COLUMN rule text COLLATE "C"
    CHECK ((rule IS NULL) = (sourceId IS NULL) AND octet_length(rule) BETWEEN 1 AND 1000);
ALTER TABLE stream ADD COLUMN ruleRevision bigint;
ALTER TABLE stream ADD COLUMN description text COLLATE "C"
    CHECK (description IS NULL OR sourceId IS NOT NULL AND octet_length(description) BETWEEN 1 AND 2000);
ALTER TABLE stream ADD COLUMN cover text COLLATE "C" CHECK (cover IS NULL OR sourceId IS NOT NULL);

CREATE FUNCTION keptViewShowsStream() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, photostream, pg_temp AS $$
BEGIN
    -- It stays a stream: the source of a kept view never changes.
    PERFORM FROM stream WHERE id = NEW.sourceId AND sourceId IS NULL AND streamOrder = NEW.streamOrder FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE check_violation USING MESSAGE = 'the source of a kept view is a stream in the same order';
    END IF;
    RETURN NULL;
END $$;

-- After the statement, which may insert both.
CREATE TRIGGER keptViewShowsStream AFTER INSERT ON stream
FOR EACH ROW WHEN (NEW.sourceId IS NOT NULL) EXECUTE FUNCTION keptViewShowsStream();
CREATE TRIGGER keptViewKeepsSource BEFORE UPDATE OF sourceId ON stream
FOR EACH ROW WHEN (NEW.sourceId IS DISTINCT FROM OLD.sourceId) EXECUTE FUNCTION refuseUpdate(
    'the source of a kept view is chosen when it is created');
ALTER TABLE stream ENABLE ALWAYS TRIGGER keptViewShowsStream;
ALTER TABLE stream ENABLE ALWAYS TRIGGER keptViewKeepsSource;
REVOKE EXECUTE ON FUNCTION keptViewShowsStream() FROM PUBLIC;

-- The function of P002. The stream of a photo is not a kept view.
CREATE OR REPLACE FUNCTION checkStreams(ids bigint[], orders bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, photostream, pg_temp AS $$
DECLARE
    position integer;
    used record;
    orderNames text[] := ARRAY['newest first', 'oldest first', 'manual'];
BEGIN
    FOR position IN 1 .. coalesce(array_length(ids, 1), 0) LOOP
        SELECT streamOrder, sourceId INTO used FROM stream WHERE id = ids[position] FOR KEY SHARE;
        IF NOT FOUND THEN
            RAISE foreign_key_violation USING MESSAGE = format('there is no stream %s', ids[position]);
        ELSIF used.sourceId IS NOT NULL THEN
            RAISE check_violation USING MESSAGE =
                'a kept view has no photos of its own; add the photo to the stream that it shows';
        ELSIF used.streamOrder <> orders[position] THEN
            RAISE check_violation USING MESSAGE = format(
                'streamOrder of the photo is %s (%s), but %s (%s) of its stream', orders[position],
                orderNames[orders[position] + 1], used.streamOrder, orderNames[used.streamOrder + 1]);
        END IF;
    END LOOP;
END $$;
