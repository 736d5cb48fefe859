"""The data model: tables, the store on disk, source snapshots, the data-quality report."""
