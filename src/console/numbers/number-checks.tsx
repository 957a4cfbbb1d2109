import type { NumberCheck } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';

const TONES = { ok: 'good', todo: 'warn', failed: 'bad' } as const;
const WORDS = { ok: 'ok', todo: 'to do', failed: 'failed' } as const;

/** Everything that must be true for a call to a number to arrive, each with its state and what to do. */
export function NumberChecks({ checks }: { readonly checks: readonly NumberCheck[] }) {
  return (
    <ol class="number-checks" aria-label="Checks">
      {checks.map(({ check, title, state, message, at, help }) => (
        <li key={check} data-check={check}>
          <Badge tone={TONES[state]}>{WORDS[state]}</Badge>
          <div>
            <strong>{title}</strong>
            <p>
              {message}
              {at && (
                <>
                  {' '}
                  <RelativeTime at={at} />.
                </>
              )}
            </p>
            {help && <p class="soft">{help}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
