-- Kept views. A row of stream with a source has no photos of its own: it shows those photos of its source that meet its rule.

ALTER TABLE stream ADD COLUMN sourceId INTEGER REFERENCES stream (id);
-- A condition in its canonical form, with its days as they were written.
ALTER TABLE stream ADD COLUMN rule TEXT
    CHECK ((rule IS NULL) = (sourceId IS NULL) AND length(CAST(rule AS BLOB)) BETWEEN 1 AND 1000);
-- The last revision of the file at which the view had another rule, or did not exist.
ALTER TABLE stream ADD COLUMN ruleRevision INTEGER;
ALTER TABLE stream ADD COLUMN description TEXT
    CHECK (description IS NULL OR sourceId IS NOT NULL AND length(CAST(description AS BLOB)) BETWEEN 1 AND 2000);
-- The external id of the photo that stands for the view; another one does while the view does not show it.
ALTER TABLE stream ADD COLUMN cover TEXT CHECK (cover IS NULL OR sourceId IS NOT NULL);

-- A server of the version before follows its primary without the columns, so its file is built again.
UPDATE replica SET commitId = -1, revision = 0, tag = 0;

CREATE TRIGGER keptViewShowsStream BEFORE INSERT ON stream WHEN NEW.sourceId IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'the source of a kept view is a stream in the same order')
    WHERE NOT EXISTS (
        SELECT 1 FROM stream WHERE id = NEW.sourceId AND sourceId IS NULL AND streamOrder = NEW.streamOrder);
END;

CREATE TRIGGER keptViewKeepsSource BEFORE UPDATE OF sourceId ON stream WHEN NEW.sourceId IS NOT OLD.sourceId BEGIN
    SELECT RAISE(ABORT, 'the source of a kept view is chosen when it is created');
END;

-- Foreign keys are off by default in the sqlite3 shell; this trigger always works.
CREATE TRIGGER keptViewNeedsSource BEFORE DELETE ON stream WHEN EXISTS (SELECT 1 FROM stream WHERE sourceId = OLD.id) BEGIN
    SELECT RAISE(ABORT, 'a kept view shows photos of the stream; delete the view first');
END;

-- The triggers of V009, which look the row up in any case: a kept view has no order that a photo can have.
DROP TRIGGER photoOrderOnInsert;
DROP TRIGGER photoOrderOnUpdate;

CREATE TRIGGER photoOrderOnInsert BEFORE INSERT ON photo
WHEN NEW.streamOrder <> (SELECT CASE WHEN sourceId IS NULL THEN streamOrder ELSE -1 END FROM stream WHERE id = NEW.streamId) BEGIN
    SELECT RAISE(FAIL, 'a kept view has no photos of its own; add the photo to the stream that it shows')
    WHERE (SELECT sourceId FROM stream WHERE id = NEW.streamId) IS NOT NULL;
    SELECT CASE NEW.streamOrder * 10 + (SELECT streamOrder FROM stream WHERE id = NEW.streamId)
        WHEN 1 THEN RAISE(FAIL, 'streamOrder of the photo is 0 (newest first), but 1 (oldest first) of its stream')
        WHEN 2 THEN RAISE(FAIL, 'streamOrder of the photo is 0 (newest first), but 2 (manual) of its stream')
        WHEN 10 THEN RAISE(FAIL, 'streamOrder of the photo is 1 (oldest first), but 0 (newest first) of its stream')
        WHEN 12 THEN RAISE(FAIL, 'streamOrder of the photo is 1 (oldest first), but 2 (manual) of its stream')
        WHEN 20 THEN RAISE(FAIL, 'streamOrder of the photo is 2 (manual), but 0 (newest first) of its stream')
        WHEN 21 THEN RAISE(FAIL, 'streamOrder of the photo is 2 (manual), but 1 (oldest first) of its stream')
        ELSE RAISE(FAIL, 'streamOrder of the photo is no order') END;
END;

CREATE TRIGGER photoOrderOnUpdate BEFORE UPDATE OF streamId, streamOrder ON photo
WHEN NEW.streamOrder <> (SELECT CASE WHEN sourceId IS NULL THEN streamOrder ELSE -1 END FROM stream WHERE id = NEW.streamId) BEGIN
    SELECT RAISE(FAIL, 'a kept view has no photos of its own; move the photo to the stream that it shows')
    WHERE (SELECT sourceId FROM stream WHERE id = NEW.streamId) IS NOT NULL;
    SELECT CASE NEW.streamOrder * 10 + (SELECT streamOrder FROM stream WHERE id = NEW.streamId)
        WHEN 1 THEN RAISE(FAIL, 'streamOrder of the photo is 0 (newest first), but 1 (oldest first) of its stream')
        WHEN 2 THEN RAISE(FAIL, 'streamOrder of the photo is 0 (newest first), but 2 (manual) of its stream')
        WHEN 10 THEN RAISE(FAIL, 'streamOrder of the photo is 1 (oldest first), but 0 (newest first) of its stream')
        WHEN 12 THEN RAISE(FAIL, 'streamOrder of the photo is 1 (oldest first), but 2 (manual) of its stream')
        WHEN 20 THEN RAISE(FAIL, 'streamOrder of the photo is 2 (manual), but 0 (newest first) of its stream')
        WHEN 21 THEN RAISE(FAIL, 'streamOrder of the photo is 2 (manual), but 1 (oldest first) of its stream')
        ELSE RAISE(FAIL, 'streamOrder of the photo is no order') END;
END;
