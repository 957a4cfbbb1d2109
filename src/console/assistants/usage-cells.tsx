import { Link } from 'wouter-preact';
import type { Number as PhoneNumber } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { useLoad } from '../use-load.ts';

/** Phone numbers attached to an assistant. */
export function NumbersCell({ numbers }: { readonly numbers: readonly PhoneNumber[] | undefined }) {
  if (!numbers) return <span class="soft">…</span>;
  const [first, ...others] = numbers;
  if (!first) return <span class="soft">none</span>;
  return (
    <span class="numeric">
      <Link href={`/numbers/${first._id}`}>{first.number}</Link>
      {others.length > 0 && <span class="soft"> and {others.length} more</span>}
    </span>
  );
}

/** Number of an assistant's calls, with a link to them. */
export function CallsCell({ assistantId }: { readonly assistantId: string }) {
  const client = useClient();
  const calls = useLoad(
    (signal) => client.call('listCalls', { query: { assistantId, size: 1 }, signal }),
    [client, assistantId],
  );
  if (!calls.data) return <span class="soft">{calls.error === undefined ? '…' : '–'}</span>;
  const { totalCount } = calls.data;
  if (totalCount === 0) return <span class="soft">0</span>;
  return (
    <Link
      href={`/calls?assistant=${assistantId}`}
      aria-label={`${totalCount} ${totalCount === 1 ? 'call' : 'calls'}`}
    >
      {totalCount.toLocaleString()}
    </Link>
  );
}
