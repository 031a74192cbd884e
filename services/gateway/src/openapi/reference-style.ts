/** Style of the reference page: light and dark, down to the width of a phone. */
export const REFERENCE_STYLE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1c2421, #e4e9e6);
  --soft: light-dark(#5b6662, #9aa6a1);
  --paper: light-dark(#fbfcfb, #121615);
  --panel: light-dark(#f0f3f1, #1b211f);
  --line: light-dark(#d8dedb, #2e3734);
  --accent: light-dark(#0b6b4f, #5fd0a8);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 52rem;
  padding: 1.5rem 1rem 5rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif;
}
a { color: var(--accent); }
h1 { margin: 0.5rem 0; font-size: 1.9rem; line-height: 1.2; }
h2 {
  margin: 3rem 0 0.75rem;
  padding-top: 1rem;
  border-top: 1px solid var(--line);
  font-size: 1.35rem;
}
h3 { margin: 2rem 0 0.5rem; font-size: 1.05rem; overflow-wrap: anywhere; }
h3 code { font-weight: 600; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  padding: 0.8rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--panel);
}
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0; padding: 0; list-style: none; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.93rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
.method { color: var(--accent); font-weight: 700; }
.soft { color: var(--soft); }
summary { cursor: pointer; color: var(--accent); }
@media (max-width: 36rem) {
  thead { display: none; }
  tr, td { display: block; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0; border: 0; overflow-wrap: anywhere; }
  td:first-child, td:first-child code { font-weight: 600; }
}
`;
