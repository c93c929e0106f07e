"""Makes the sample photos and records in SampleData/. Run scripts/make-sample-data."""
