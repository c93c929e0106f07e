-- A new row gets the id after the greatest one, which therefore leaves room: after the last number, SQLite has no other,
-- and says that the disk is full. In a primary, `passIds` bounds each step. Before an insert, an id that SQLite chooses
-- is -1.

CREATE TRIGGER streamIdIsBounded BEFORE INSERT ON stream WHEN NEW.id > 4611686018427387904 BEGIN
    SELECT RAISE(ABORT, 'the id of a row of stream is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER streamIdStaysBounded BEFORE UPDATE OF id ON stream WHEN NEW.id > 4611686018427387904 BEGIN
    SELECT RAISE(ABORT, 'the id of a row of stream is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER rootIdIsBounded BEFORE INSERT ON root WHEN NEW.id > 4611686018427387904 BEGIN
    SELECT RAISE(ABORT, 'the id of a row of root is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER rootIdStaysBounded BEFORE UPDATE OF id ON root WHEN NEW.id > 4611686018427387904 BEGIN
    SELECT RAISE(ABORT, 'the id of a row of root is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER tokenIdIsBounded BEFORE INSERT ON token WHEN NEW.id > 4611686018427387904 BEGIN
    SELECT RAISE(ABORT, 'the id of a row of token is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER shareIdIsBounded BEFORE INSERT ON share WHEN NEW.id > 4611686018427387904 BEGIN
    SELECT RAISE(ABORT, 'the id of a row of share is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER sessionIdIsBounded BEFORE INSERT ON session WHEN NEW.id > 4611686018427387904 BEGIN
    SELECT RAISE(ABORT, 'the id of a row of session is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER importRunIdIsBounded BEFORE INSERT ON importRun WHEN NEW.id > 4611686018427387904
    AND NEW.id - 1 > (SELECT coalesce(max(id), 0) FROM importRun) BEGIN
    SELECT RAISE(ABORT, 'the id of a row of importRun is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER importRunIdStaysBounded BEFORE UPDATE OF id ON importRun WHEN NEW.id > 4611686018427387904 BEGIN
    SELECT RAISE(ABORT, 'the id of a row of importRun is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER importFailureIdIsBounded BEFORE INSERT ON importFailure WHEN NEW.id > 4611686018427387904
    AND NEW.id - 1 > (SELECT coalesce(max(id), 0) FROM importFailure) BEGIN
    SELECT RAISE(ABORT, 'the id of a row of importFailure is at most 4611686018427387904; leave the id out');
END;
CREATE TRIGGER importFailureIdStaysBounded BEFORE UPDATE OF id ON importFailure WHEN NEW.id > 4611686018427387904 BEGIN
    SELECT RAISE(ABORT, 'the id of a row of importFailure is at most 4611686018427387904; leave the id out');
END;
