"""A report in one HTML file: what it is made of, and how that becomes markup.

What stands in a report is put together by whoever knows the numbers (``jobs/report_sections.py``);
here everything is text, and every text is escaped.
"""
