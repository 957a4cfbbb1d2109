import type { FastifyReply } from 'fastify';
import type { Contract } from '../../contract/contract.ts';
import { missing, Problem } from '../../contract/errors.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { VendorTrials } from '../../ports/vendor-trials.ts';
import { deleteVendorAccount, setVendorAccount } from '../../store/vendor-credentials.ts';
import type { ApiDeps } from '../deps.ts';
import { type Routing, serve, serveRaw } from '../route.ts';
import { readVendorAccount, readVendorAccounts } from '../vendor-accounts.ts';

/** Tests and samples at once in one process; a team has one. */
const MAX_TRIALS = 8;

/** The team's accounts at vendors, and what vendors offer. */
export function vendorRoutes(
  routing: Routing,
  operations: Contract['vendors'],
  deps: Pick<ApiDeps, 'db' | 'hasAccount' | 'vendorTrials'>,
): void {
  const { db, vendorTrials: trials } = deps;
  const busy = new Set<string>();

  const oneAtATime = async <Result>(
    teamId: string,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    if (busy.has(teamId) || busy.size >= MAX_TRIALS)
      throw new Problem({
        kind: 'too-many',
        message: 'A vendor is being tried: wait until that has ended',
        retryAfterSeconds: 5,
      });
    busy.add(teamId);
    try {
      return await work();
    } finally {
      busy.delete(teamId);
    }
  };

  /** Asks a vendor with the keys as they are now; the signal aborts when the client leaves. */
  const trying = async <Result>(
    reply: FastifyReply,
    work: (trials: VendorTrials, signal: AbortSignal) => Promise<Result | undefined>,
  ): Promise<Result> => {
    if (!trials) throw missing('vendorAccount');
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    reply.raw.once('close', abort);
    try {
      await trials.refresh();
      const result = await work(trials, controller.signal);
      if (result === undefined) throw missing('vendorAccount');
      return result;
    } catch (error) {
      throw error instanceof ProviderError ? refusalOf(error) : error;
    } finally {
      reply.raw.off('close', abort);
    }
  };

  serve(routing, operations.list, async ({ teamId }) => {
    await trials?.refresh();
    return {
      accounts: await readVendorAccounts(deps, teamId),
      parts: [...(trials?.parts(teamId) ?? [])],
    };
  });

  serve(routing, operations.setKey, async ({ teamId, params: { vendor }, body }) => {
    const { baseUrl = null } = await readVendorAccount(deps, { teamId, vendor });
    const { apiKey, concurrency = null } = body;
    await setVendorAccount(db, { teamId, vendor, apiKey, baseUrl, concurrency });
    await trials?.refresh();
    return readVendorAccount(deps, { teamId, vendor });
  });

  serve(routing, operations.removeKey, async ({ teamId, params: { vendor } }) => {
    await readVendorAccount(deps, { teamId, vendor });
    await deleteVendorAccount(db, { teamId, vendor });
    await trials?.refresh();
    return readVendorAccount(deps, { teamId, vendor });
  });

  serve(routing, operations.test, async ({ teamId, params: { vendor }, reply }) => {
    const { account } = await readVendorAccount(deps, { teamId, vendor });
    if (account === 'none')
      throw new Problem({ kind: 'conflict', message: `${vendor} has no key: set one first` });
    return oneAtATime(teamId, () =>
      trying(reply, async (running, signal) => [
        ...(await running.test({ teamId, vendor, signal })),
      ]),
    );
  });

  serve(routing, operations.models, async ({ teamId, query: { vendor }, reply }) =>
    trying(reply, async (running, signal) => {
      const models = await running.models({ teamId, vendor, signal });
      return models && { models: [...models] };
    }),
  );

  serve(routing, operations.voices, async ({ teamId, query: { vendor }, reply }) =>
    trying(reply, async (running, signal) => {
      const voices = await running.voices({ teamId, vendor, signal });
      return voices && { voices: [...voices] };
    }),
  );

  serveRaw(routing, operations.sample, async ({ teamId, body, reply }) => {
    const wav = await oneAtATime(teamId, () =>
      trying(reply, (running, signal) => running.speak({ teamId, ...body, signal })),
    );
    reply.type('audio/wav').send(wav);
  });
}

const refusalOf = (error: ProviderError): Problem =>
  new Problem({
    kind: error.code === 'no_key' ? 'conflict' : 'vendor',
    message: error.message,
    cause: error,
  });
