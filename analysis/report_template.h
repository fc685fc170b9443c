// The report's page as a template: {{name}} puts in a text, escaped; {{{svg}}} a drawing of our own making.
//
// It refers to nothing outside itself, follows the reader's light or dark setting, and prints.
#pragma once

namespace scalemark::analysis {

inline constexpr const char* kReportTemplate = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{title}} - scalemark report</title>
<style>
:root { --ink: #1f242b; --soft: #5d6670; --line: #dfe3e8; --page: #fcfcfd; --card: #f2f4f7; --accent: #2f86c5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7eb; --soft: #9ba5b0; --line: #343b44; --page: #15181c; --card: #1e2329; --accent: #5aa9e0; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); line-height: 1.55;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 3rem 1.5rem 5rem; }
h1 { font-size: 1.75rem; line-height: 1.2; font-weight: 650; margin: 0 0 .25rem; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; font-weight: 620; margin: 3rem 0 .75rem; letter-spacing: -.005em; }
p { margin: .75rem 0; max-width: 44rem; }
.subtitle { color: var(--soft); margin: 0 0 1.5rem; }
.verdict { font-size: 1.12rem; border-left: 3px solid var(--accent); padding: .1rem 0 .1rem 1.1rem; margin: 1.5rem 0; }
.verdict p { margin: .45rem 0; }
.tiles { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.75rem 0; padding: 0; list-style: none; }
.tiles li { flex: 1 1 11rem; background: var(--card); border-radius: 8px; padding: .85rem 1rem; }
.tiles b { display: block; font-size: 1.55rem; line-height: 1.25; font-weight: 620; font-variant-numeric: tabular-nums; }
.tiles span { display: block; color: var(--soft); font-size: .85rem; }
.notes { color: var(--soft); font-size: .9rem; padding-left: 1.2rem; margin: 1rem 0; max-width: 44rem; }
figure { margin: 1.25rem 0; }
figure svg { display: block; width: 100%; height: auto; color: var(--ink); }
figure svg text { font-family: inherit; }
figcaption { color: var(--soft); font-size: .88rem; max-width: 44rem; margin-top: .4rem; }
figcaption b { color: var(--ink); font-weight: 600; }
.wide { overflow-x: auto; margin: 1rem 0; }
.lead { font-size: .93rem; color: var(--soft); margin: 1.4rem 0 -.4rem; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; min-width: 24rem; }
th, td { text-align: right; padding: .36rem .8rem .36rem 0; border-bottom: 1px solid var(--line); vertical-align: top;
  white-space: nowrap; }
th { color: var(--soft); font-weight: 560; border-bottom-color: var(--soft); }
th.group { text-align: center; border-bottom: 0; }
th.left, td.left { text-align: left; white-space: normal; }
td.words { min-width: 16rem; }
table.figures th, table.figures td { white-space: normal; padding-right: .55rem; }
th { vertical-align: bottom; }
td.left:first-child { white-space: nowrap; }
details { margin: 2.25rem 0; border-top: 1px solid var(--line); padding-top: .9rem; }
summary { cursor: pointer; font-size: 1.05rem; font-weight: 600; }
details .body { padding-top: .25rem; }
footer { color: var(--soft); font-size: .85rem; margin-top: 4rem; border-top: 1px solid var(--line); padding-top: 1rem; }
@media print { details > .body { display: block; } main { padding: 0; max-width: none; } h2 { break-after: avoid; }
  figure, table { break-inside: avoid; } }
</style>
</head>
<body>
<main>
<h1>{{title}}</h1>
<p class="subtitle">{{subtitle}}</p>
<div class="verdict">{{#verdict}}<p>{{sentence}}</p>
{{/verdict}}</div>
<ul class="tiles">
{{#tiles}}<li><span>{{label}}</span><b>{{value}}</b><span>{{aside}}</span></li>
{{/tiles}}</ul>
{{#has_notes}}<ul class="notes">
{{#notes}}<li>{{note}}</li>
{{/notes}}</ul>
{{/has_notes}}
{{#sections}}
{{#folded}}<details><summary>{{title}}</summary><div class="body">{{/folded}}
{{#open}}<section><h2>{{title}}</h2>{{/open}}
{{#blocks}}
{{#paragraph}}<p>{{paragraph}}</p>
{{/paragraph}}
{{#figure}}<figure>{{{svg}}}<figcaption><b>{{title}}.</b> {{caption}}</figcaption></figure>
{{/figure}}
{{#table}}{{#has_text}}<p class="lead">{{text}}</p>{{/has_text}}
<div class="wide"><table class="{{kind}}"><thead>
{{#grouped}}<tr>{{#groups}}<th class="group" colspan="{{span}}">{{text}}</th>{{/groups}}</tr>
{{/grouped}}<tr>{{#head}}<th class="{{class}}">{{text}}</th>{{/head}}</tr></thead><tbody>
{{#rows}}<tr>{{#cells}}<td class="{{class}}">{{text}}</td>{{/cells}}</tr>
{{/rows}}</tbody></table></div>
{{/table}}
{{/blocks}}
{{#open}}</section>{{/open}}{{#folded}}</div></details>{{/folded}}
{{/sections}}
<footer>Made by scalemark. The same figures stand in report.txt, report.csv and report.json; every drawing in plots/ has
its data beside it. What each figure means and how it is worked out is told in docs/report.md.</footer>
</main>
</body>
</html>
)";

}  // namespace scalemark::analysis
