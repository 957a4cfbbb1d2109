import { ChainCheck } from '../../lib/audit-chain.ts';
import { readAudit, readAuditHead } from '../../store/audit.ts';
import type { Db } from '../../store/db.ts';

/** What the check of a log has found; without a `fault` it is whole. */
export interface ChainFinding {
  /** Those that were checked and are as they were written. */
  readonly entries: number;
  readonly fault?: string;
}

/** Reads a whole chain and checks that nothing was changed, removed, added or moved, up to the end that it has now. */
export async function checkChain(
  db: Db,
  { chain, signal }: { readonly chain: string; readonly signal: AbortSignal },
): Promise<ChainFinding> {
  const head = await readAuditHead(db, { chain });
  const check = new ChainCheck(chain);
  for await (const page of readAudit(db, { chain })) {
    signal.throwIfAborted();
    for (const entry of page) {
      if (check.head.seq === head.seq) break;
      const fault = check.add(entry);
      if (fault) return { entries: check.head.seq, fault };
    }
    if (check.head.seq === head.seq) break;
  }
  const { seq, hash } = check.head;
  if (!head.genuine)
    return { entries: seq, fault: 'the end of the log was not written by the service' };
  if (seq !== head.seq || hash !== head.hash)
    return { entries: seq, fault: `the log ends with entry ${seq}, and ended with ${head.seq}` };
  return { entries: seq };
}
