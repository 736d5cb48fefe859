"""How a report looks: in light, dark and forced colours, on paper, and on narrow screens."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --text: #1b1f24; --faint: #57606a; --page: #ffffff;
  --line: #d0d7de; --bar: #0b6bcb; --soft: #ddebfa; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --faint: #9da7b1; --page: #0d1117; --line: #30363d; --bar: #58a6ff;
    --soft: #1f3a5f; } }
@media (prefers-contrast: more) { :root { --faint: var(--text); --line: var(--text); } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 3rem; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
p { margin: .4rem 0; max-width: 48rem; }
.emphasis { font-weight: 600; }
footer { color: var(--faint); margin-top: 3rem; font-size: .875rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .5rem 0 1rem; }
caption { text-align: left; color: var(--faint); padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .2rem .75rem .2rem 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.text { font-family: ui-monospace, monospace; font-size: .85em; white-space: pre-wrap;
  overflow-wrap: break-word; }
meter { width: 6rem; }
svg { width: 100%; height: auto; max-width: 45rem; }
svg text { fill: var(--text); font-size: 12px; }
.grid { stroke: var(--line); stroke-width: 1; }
.roof { stroke: var(--text); stroke-width: 2; }
.dot { fill: var(--bar); fill-opacity: .55; stroke: var(--bar); stroke-width: 1.5; }
.dot.predicted { fill: none; }
@media (forced-colors: active) {
  .grid { stroke: GrayText; } .roof { stroke: CanvasText; } svg text { fill: CanvasText; }
  .dot { fill: Highlight; stroke: CanvasText; } .dot.predicted { fill: none; } }
@media print {
  :root { --text: #000; --faint: #333; --page: #fff; --line: #999; --bar: #444; --soft: #eee; }
  body { max-width: none; padding: 0; font-size: 10pt; } .scroll { overflow: visible; }
  td.text { overflow-wrap: anywhere; } tr, svg { break-inside: avoid; } h2 { break-after: avoid; }
  thead { display: table-header-group; } }
""".strip()
