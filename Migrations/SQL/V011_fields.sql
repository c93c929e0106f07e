-- More metadata. They change no layout; the triggers log an update of any column.
ALTER TABLE photo ADD COLUMN rating INTEGER CHECK (rating BETWEEN -1 AND 5);
ALTER TABLE photo ADD COLUMN title TEXT;
ALTER TABLE photo ADD COLUMN camera TEXT;
