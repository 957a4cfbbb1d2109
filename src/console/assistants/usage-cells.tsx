import { Link } from 'wouter-preact';
import type { AssistantUses } from '../../client/api.generated.ts';

interface UsesProps {
  /** Undefined while loading. */
  readonly uses: AssistantUses | undefined;
}

/** Phone numbers attached to an assistant. */
export function NumbersCell({ uses }: UsesProps) {
  if (!uses) return <span class="soft">…</span>;
  const { numbers, firstNumber } = uses;
  if (!firstNumber) return <span class="soft">none</span>;
  return (
    <span class="numeric">
      <Link href={`/numbers/${firstNumber._id}`}>{firstNumber.number}</Link>
      {numbers > 1 && <span class="soft"> and {numbers - 1} more</span>}
    </span>
  );
}

/** Number of an assistant's calls, with a link to them. */
export function CallsCell({ assistantId, uses }: UsesProps & { readonly assistantId: string }) {
  if (!uses) return <span class="soft">…</span>;
  const { calls } = uses;
  if (calls === 0) return <span class="soft">0</span>;
  return (
    <Link
      href={`/calls?assistant=${assistantId}`}
      aria-label={`${calls} ${calls === 1 ? 'call' : 'calls'}`}
    >
      {calls.toLocaleString()}
    </Link>
  );
}
