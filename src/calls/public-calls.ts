import { Problem } from '../contract/errors.ts';
import { PUBLIC_REFUSALS } from '../contract/public-key.ts';
import { NotFoundError, OverLimitError, SuspendedError } from '../store/errors.ts';
import { findPublicKey } from '../store/public-keys.ts';
import type { ConnectDeps } from './call-fields.ts';
import { connectCall } from './connect.ts';
import { publicRefusal } from './public-refusal.ts';

interface Visit {
  readonly key: string;
  /** Of the page, as its browser says. */
  readonly origin: string | undefined;
  /** The page is one of this service. */
  readonly isOwn: boolean;
  readonly baseUrl: string;
}

/**
 * Starts a web call for the page of another site. Throws Problem with one of the codes of PUBLIC_REFUSALS: what is
 * wrong with the team or its assistant is nobody's business there.
 */
export async function connectPublicCall(deps: ConnectDeps, { key, origin, isOwn, baseUrl }: Visit) {
  const publicKey = await findPublicKey(deps.db, { key });
  if (!publicKey) throw publicRefusal('unknown-key');
  const isAllowed = isOwn ? publicKey.demo : publicKey.origins.includes(origin ?? '');
  if (!isAllowed) throw publicRefusal('origin-not-allowed');
  const { teamId, assistantId } = publicKey;
  try {
    const { webCall } = await connectCall(deps, {
      ...{ teamId, baseUrl, publicKey },
      input: {
        direction: 'inbound',
        assistantId,
        assistantOverrides: {},
        metadata: { publicKey: publicKey.name, ...(origin === undefined ? {} : { origin }) },
      },
    });
    if (!webCall) throw new Error('a web call has a media socket');
    return { url: webCall.url, expiresAt: webCall.expiresAt };
  } catch (error) {
    if (error instanceof OverLimitError) throw publicRefusal('busy', error);
    if (error instanceof SuspendedError || error instanceof NotFoundError)
      throw publicRefusal('not-ready', error);
    if (!(error instanceof Problem) || (error.code ?? '') in PUBLIC_REFUSALS) throw error;
    throw publicRefusal(error.kind === 'too-many' ? 'busy' : 'not-ready', error);
  }
}
