"""What a timeline is asked for: windows, sums over an area, matches, utilisation, links."""
