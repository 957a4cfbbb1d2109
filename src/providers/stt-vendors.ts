import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Clock } from '../ports/clock.ts';
import type { Stt } from '../ports/stt.ts';
import { createAssemblyAiProtocol } from './assemblyai-stt/protocol.ts';
import { createLimitedStt } from './decorators/limited-stt.ts';
import { createDeepgramFluxProtocol } from './deepgram-flux-stt/protocol.ts';
import { createDeepgramSttProtocol } from './deepgram-stt/protocol.ts';
import { createOpenAiRealtimeSttProtocol } from './openai-realtime-stt/protocol.ts';
import { createOpenAiTranscriptions } from './openai-transcriptions-stt/adapter.ts';
import { createSttSocket } from './stt-socket/adapter.ts';
import type { SttVendor } from './stt-socket/stt-vendor.ts';
import {
  findAccess,
  requireKey,
  type VendorAccesses,
  type VendorAccount,
} from './usable-vendor.ts';
import type { VendorQueues } from './vendor-queues.ts';

export interface SttContext {
  readonly vendors: VendorAccesses;
  readonly clock: Clock;
  readonly random: () => number;
  readonly queues: VendorQueues;
  /** For URLs that the operator configured. */
  readonly trustedFetch: OutboundFetch;
}

interface Access {
  readonly apiKey: string;
  readonly baseUrl?: string;
}

interface Factory {
  /** The account whose key and URL it uses. */
  readonly account: VendorAccount;
  create(access: Access, context: SttContext): Stt;
}

function overSocket(account: VendorAccount, protocol: (access: Access) => SttVendor): Factory {
  return {
    account,
    create: (access, { clock, random }) => createSttSocket(protocol(access), { clock, random }),
  };
}

// In order of preference: shortest delay to the final text first.
const FACTORIES: ReadonlyMap<string, Factory> = new Map<string, Factory>([
  ['deepgram', overSocket('deepgram', createDeepgramSttProtocol)],
  ['deepgram-flux', overSocket('deepgram', createDeepgramFluxProtocol)],
  ['assemblyai', overSocket('assemblyai', createAssemblyAiProtocol)],
  ['openai', overSocket('openai', createOpenAiRealtimeSttProtocol)],
  [
    'openai-transcriptions',
    {
      account: 'openai',
      create: (access, { clock, trustedFetch }) =>
        createOpenAiTranscriptions({ ...access, clock, fetch: trustedFetch }),
    },
  ],
]);

/** Recognisers that need a key, in the order of default choice among those that have one. */
export const KEYED_STT_VENDORS: readonly string[] = [...FACTORIES.keys()];

/** The account that a recogniser uses; undefined for one that needs none. */
export const accountOfStt = (vendor: string): VendorAccount | undefined =>
  FACTORIES.get(vendor)?.account;

/** True if this vendor can be the default for an assistant that names none. */
export function isSttReady(vendor: string, vendors: VendorAccesses): boolean {
  const account = FACTORIES.get(vendor)?.account;
  return account !== undefined && findAccess(vendors, account).apiKey !== undefined;
}

/** Undefined when there is no such vendor; throws ProviderError when it has no key. */
export function createStt(vendor: string, context: SttContext): Stt | undefined {
  const factory = FACTORIES.get(vendor);
  if (!factory) return undefined;
  const { baseUrl } = findAccess(context.vendors, factory.account);
  const apiKey = requireKey(context.vendors, factory.account);
  const access = { apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) };
  const queue = context.queues.of('stt', vendor, factory.account);
  return createLimitedStt(factory.create(access, context), queue, context.clock);
}
