import { useEffect, useRef } from 'preact/hooks';
import type { FieldFaults } from '../field-faults.ts';
import { type FieldTexts, pathLabel } from './field-text.ts';
import { controlId } from './form-scope.ts';

interface FaultSummaryProps {
  readonly faults: FieldFaults;
  readonly texts: FieldTexts;
  /** Brings the field into view, if it is on a page not shown. */
  readonly onGo: (path: string) => void;
  /** Increases with each attempt to save; the summary then takes the focus. */
  readonly tries: number;
}

/** Lists every error that keeps the form from being saved, with links to the fields. */
export function FaultSummary({ faults, texts, onGo, tries }: FaultSummaryProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (tries > 0) box.current?.focus();
  }, [tries]);
  const found = Object.entries(faults);
  if (tries === 0 || found.length === 0) return null;
  return (
    <section
      ref={box}
      tabIndex={-1}
      class="callout fault-summary"
      data-tone="bad"
      aria-labelledby="fault-summary-title"
    >
      <h2 id="fault-summary-title">
        Fix {found.length} {found.length === 1 ? 'field' : 'fields'}
      </h2>
      <ul>
        {found.map(([path, message]) => (
          <li key={path}>
            {path === '' ? (
              message
            ) : (
              <>
                <button type="button" class="link-button" onClick={() => onGo(path)}>
                  {pathLabel(texts, path)}
                </button>
                : {message}
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Focuses a field once it is rendered, or else the nearest element that contains it. */
export function focusField(path: string): void {
  // Whatever this click renders exists in the next task.
  setTimeout(() => {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
      const found = document.getElementById(controlId(at));
      if (!found) continue;
      const folded = found.closest('details');
      if (folded) folded.open = true;
      found.scrollIntoView({ block: 'center' });
      found.focus();
      return;
    }
  });
}
