import { randomInt } from 'node:crypto';
import type { Contract } from '../../contract/contract.ts';
import { Problem } from '../../contract/errors.ts';
import { createHandsetToken } from '../../store/handset-tokens.ts';
import { findNumberOfAnyTeam } from '../../store/numbers.ts';
import { holderOf } from '../auth.ts';
import type { ApiDeps, ApiLimits } from '../deps.ts';
import { principalOf, type Routing, serve } from '../route.ts';

/** From the range reserved for fiction, and apart from numbers that are for sale. */
const someNumber = () => `+1500555${randomInt(2000, 10_000)}`;

export function handsetRoutes(
  routing: Routing,
  operations: Contract['handsets'],
  deps: Pick<ApiDeps, 'db' | 'carriers' | 'publicUrl'> & {
    readonly now: () => number;
    readonly limits: ApiLimits;
  },
): void {
  const { db, carriers, publicUrl, now, limits } = deps;
  serve(routing, operations.create, async ({ teamId, body, request }) => {
    if (!carriers.find('emulator'))
      throw new Problem({ kind: 'conflict', message: 'There is no built-in carrier here' });
    const number = body.number ?? someNumber();
    if (await findNumberOfAnyTeam(db, { number }))
      throw new Problem({ kind: 'conflict', message: `${number} is a number of an assistant` });
    const expiresAt = new Date(now() + limits.mediaTokenMs);
    const token = await createHandsetToken(db, {
      ...{ teamId, number, expiresAt },
      holder: holderOf(principalOf(request)),
    });
    const address = publicUrl(request).replace(/^http/, 'ws');
    return {
      number,
      url: `${address}/media/handset/${token}`,
      token,
      expiresAt: expiresAt.toISOString(),
    };
  });
}
