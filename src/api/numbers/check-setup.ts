import { openAccount } from '../../calls/carrier-account.ts';
import { Problem } from '../../contract/errors.ts';
import type { NumberSetup } from '../../contract/number-setup.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { CarrierAccount } from '../../ports/carrier.ts';
import { findVersion } from '../../store/assistant-versions.ts';
import { findNumberCredentials, getNumber, type NumberRecord } from '../../store/numbers.ts';
import type { ApiDeps } from '../deps.ts';
import { webhooksOf } from './configure.ts';
import { type Asked, checkSetup, type SetupFacts } from './setup-checks.ts';

type SetupDeps = Pick<
  ApiDeps,
  'db' | 'carriers' | 'carrierBaseUrl' | 'toolServers' | 'vendorProblems'
>;

/** For everything that is asked outside, at once. */
const DEADLINE_MS = 10_000;

/** Checks whether calls to a number can arrive: asks its carrier, and the service's own public address. */
export async function checkNumberSetup(
  deps: SetupDeps,
  { teamId, id, atMs }: { readonly teamId: string; readonly id: string; readonly atMs: number },
): Promise<NumberSetup> {
  const number = await getNumber(deps.db, { teamId, id });
  const { provider, inboundEnabled, arrivedAt, refusedAt } = number;
  const { carrierBaseUrl: publicUrl } = deps;
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const account = await findAccount(deps, number);
  const [route, followed, reached, assistant] = await Promise.all([
    ask(signal, account?.numbers && (() => account.numbers?.inspect(number.number, signal))),
    ask(signal, account?.isFollowed && (() => account.isFollowed?.(signal) ?? false)),
    ask(
      signal,
      account?.numbers && publicUrl !== undefined
        ? () => reach(deps.toolServers.fetch, publicUrl, signal)
        : undefined,
    ),
    findAssistant(deps, number),
  ]);
  const checks = checkSetup({
    ...{ provider, inboundEnabled, arrivedAt, refusedAt, publicUrl, assistant },
    ...{ hasAccount: account !== undefined, route, followed, reached },
    voiceUrl: publicUrl === undefined ? undefined : webhooksOf(publicUrl, provider).voiceUrl,
  });
  return { numberId: id, checkedAt: new Date(atMs).toISOString(), checks: [...checks] };
}

async function findAccount(
  { db, carriers }: SetupDeps,
  number: NumberRecord,
): Promise<CarrierAccount | undefined> {
  const credentials = await findNumberCredentials(db, number);
  try {
    return openAccount(carriers, number.provider, credentials);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** What a request came to; undefined if there is none to be made. */
async function ask<T>(
  signal: AbortSignal,
  request: (() => Promise<T> | T) | undefined,
): Promise<Asked<T> | undefined> {
  if (!request) return undefined;
  try {
    return { value: await request() };
  } catch (error) {
    if (signal.aborted) return { problem: 'there was no answer in time' };
    const problem = error instanceof Error ? error.message.replace(/\.$/, '') : 'it failed';
    return { problem, isRefused: error instanceof ProviderError && error.class === 'auth' };
  }
}

/** Whether this service, or another one like it, answers at its public address. */
async function reach(
  fetch: ApiDeps['toolServers']['fetch'],
  publicUrl: string,
  signal: AbortSignal,
): Promise<true> {
  const response = await fetch(`${publicUrl}/livez`, { signal });
  response.cancel();
  if (response.status === 200) return true;
  throw new Error(`the answer has the status ${response.status}`);
}

async function findAssistant(
  { db, vendorProblems }: SetupDeps,
  { teamId, assistantId: id, assistantVersion }: NumberRecord,
): Promise<SetupFacts['assistant']> {
  if (!id) return undefined;
  const found = await findVersion(db, { teamId, id, name: assistantVersion ?? '' });
  if (!found) return { name: 'The assistant', problems: ['it has no such version any more'] };
  const blocking = vendorProblems(found.config, teamId).filter(({ blocks }) => blocks);
  return { name: found.config.name, problems: blocking.map(({ message }) => message) };
}
