-- Devices and programs write (0, 0) if they know no position. The change is logged.
UPDATE photo SET latitude = NULL, longitude = NULL WHERE latitude = 0 AND longitude = 0;

UPDATE deletedPhoto SET latitude = NULL, longitude = NULL WHERE latitude = 0 AND longitude = 0;
