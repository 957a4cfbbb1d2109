/** The look of the widget. Pages change it by the variables that `docs/widget.md` names. */
export const STYLE = `
:host {
  --accent: var(--parley-accent, light-dark(#2459b3, #86b9ff));
  --on-accent: var(--parley-on-accent, light-dark(#ffffff, #121118));
  --surface: var(--parley-surface, light-dark(#ffffff, #1a1822));
  --ink: var(--parley-text, light-dark(#1d1a26, #ece9f2));
  --soft: color-mix(in srgb, var(--ink) 72%, var(--surface));
  --edge: color-mix(in srgb, var(--ink) 55%, var(--surface));
  --bad: var(--parley-danger, light-dark(#b3261e, #ff8a80));
  --radius: var(--parley-radius, 0.75rem);
  color-scheme: var(--parley-color-scheme, light dark);
  display: inline-block;
  font: 1rem/1.5 var(--parley-font, system-ui, sans-serif);
  color: var(--ink);
  text-align: start;
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
p { margin: 0; }
.buttons { display: flex; gap: 0.5rem; justify-content: flex-end; align-items: center; }
button, input { font: inherit; }
button {
  min-height: 2.75rem;
  padding: 0.5rem 1rem;
  border: 1px solid var(--edge);
  border-radius: var(--radius);
  background: var(--surface);
  color: var(--ink);
  cursor: pointer;
}
button:focus-visible, input:focus-visible, .captions:focus-visible {
  outline: 0.1875rem solid var(--accent);
  outline-offset: 0.125rem;
}
.call {
  display: inline-flex;
  gap: 0.5rem;
  align-items: center;
  border-color: transparent;
  background: var(--accent);
  color: var(--on-accent);
  font-weight: 600;
  box-shadow: 0 0 0 calc(var(--level, 0) * 0.5rem) color-mix(in srgb, var(--accent) 30%, transparent);
}
.call svg { width: 1.25rem; height: 1.25rem; fill: currentColor; }
.call:not([data-state="idle"], [data-state="ended"]) svg { transform: rotate(135deg); }
.mute[aria-pressed="true"] { background: var(--ink); color: var(--surface); }
.panel {
  display: flex;
  flex-direction: column;
  gap: 0.5rem;
  width: min(22rem, 100%);
  margin-block-end: 0.75rem;
  padding: 0.75rem 1rem;
  border: 1px solid color-mix(in srgb, var(--ink) 15%, var(--surface));
  border-radius: var(--radius);
  background: var(--surface);
}
.panel[data-captions="off"] .captions { display: none; }
.status { color: var(--soft); font-size: 0.875rem; }
.fault { color: var(--bad); }
.fault:empty, .captions:empty { display: none; }
.captions { max-height: 14rem; overflow-y: auto; }
.captions p::before { content: attr(data-who) ": "; color: var(--soft); }
.captions .interim { opacity: 0.8; }
form { display: flex; gap: 0.5rem; }
input {
  flex: 1;
  min-width: 0;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--edge);
  border-radius: var(--radius);
  background: var(--surface);
  color: var(--ink);
}
input::placeholder { color: var(--soft); opacity: 1; }
@media (prefers-reduced-motion: no-preference) {
  .call { transition: box-shadow 80ms linear; }
}
`;
