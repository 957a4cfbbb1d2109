import type { Contract } from '../../contract/contract.ts';
import { Problem } from '../../contract/errors.ts';
import {
  type Admission,
  createHandsetToken,
  createTokenOfFreeNumber,
} from '../../store/handset-tokens.ts';
import { findNumberOfAnyTeam } from '../../store/numbers.ts';
import { holderOf } from '../auth.ts';
import type { ApiDeps, ApiLimits } from '../deps.ts';
import { principalOf, type Routing, serve } from '../route.ts';

/** From the range reserved for fiction, and apart from numbers that are for sale. */
const NUMBERS = Array.from({ length: 8000 }, (_, index) => `+1500555${2000 + index}`);

export function handsetRoutes(
  routing: Routing,
  operations: Contract['handsets'],
  deps: Pick<ApiDeps, 'db' | 'carriers' | 'publicUrl'> & {
    readonly now: () => number;
    readonly limits: ApiLimits;
  },
): void {
  const { db, carriers, publicUrl, now, limits } = deps;

  const atNumber = async (admission: Admission, number: string) => {
    if (await findNumberOfAnyTeam(db, { number }))
      throw new Problem({ kind: 'conflict', message: `${number} is a number of an assistant` });
    return { number, token: await createHandsetToken(db, { ...admission, number }) };
  };
  /** A telephone puts out another of its team at the same number, so this is one that nobody has. */
  const atFreeNumber = async (admission: Admission) => {
    const made = await createTokenOfFreeNumber(db, {
      ...admission,
      among: NUMBERS,
      now: new Date(now()),
    });
    if (!made) throw new Problem({ kind: 'conflict', message: 'No number is free: name one' });
    return made;
  };

  serve(routing, operations.create, async ({ teamId, body, request }) => {
    if (!carriers.find('emulator'))
      throw new Problem({ kind: 'conflict', message: 'There is no built-in carrier here' });
    const admission = {
      teamId,
      holder: holderOf(principalOf(request)),
      expiresAt: new Date(now() + limits.mediaTokenMs),
    };
    const { number, token } = await (body.number
      ? atNumber(admission, body.number)
      : atFreeNumber(admission));
    const address = publicUrl(request).replace(/^http/, 'ws');
    return {
      number,
      url: `${address}/media/handset/${token}`,
      token,
      expiresAt: admission.expiresAt.toISOString(),
    };
  });
}
