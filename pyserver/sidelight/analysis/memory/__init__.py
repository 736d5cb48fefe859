"""What memory held over time, against what there is of it."""
