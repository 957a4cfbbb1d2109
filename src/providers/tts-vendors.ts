import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Clock } from '../ports/clock.ts';
import type { Tts } from '../ports/tts.ts';
import { createCartesiaProtocol } from './cartesia-tts/protocol.ts';
import { createLimitedTts } from './decorators/limited-tts.ts';
import { createDeepgramTtsProtocol } from './deepgram-tts/protocol.ts';
import { createElevenLabsProtocol } from './elevenlabs-tts/protocol.ts';
import { createOpenAiTts } from './openai-tts/adapter.ts';
import { createNormalisingTts } from './text-normalisation/normalising-tts.ts';
import { createTtsSocket, type VoiceManner } from './tts-socket/adapter.ts';
import type { TtsVendor } from './tts-socket/tts-vendor.ts';
import {
  findAccess,
  requireKey,
  type VendorAccesses,
  type VendorAccount,
} from './usable-vendor.ts';
import type { VendorQueues } from './vendor-queues.ts';

export interface TtsContext {
  readonly vendors: VendorAccesses;
  readonly clock: Clock;
  readonly createId: () => string;
  readonly queues: VendorQueues;
  /** For URLs that the operator configured. */
  readonly trustedFetch: OutboundFetch;
}

/** A voice with methods to open its connections in advance and to close them. */
export interface VendorTts extends Tts {
  warm?(manner: VoiceManner): void;
  close?(): void;
}

interface Access {
  readonly apiKey: string;
  readonly baseUrl?: string;
}

interface Factory {
  /** The account whose key and URL it uses. */
  readonly account: VendorAccount;
  create(access: Access, context: TtsContext): VendorTts;
}

function overSocket(account: VendorAccount, protocol: (access: Access) => TtsVendor): Factory {
  return {
    account,
    create: (access, { clock, createId }) => createTtsSocket(protocol(access), { clock, createId }),
  };
}

// In order of preference: those that report word times come first.
const FACTORIES: ReadonlyMap<string, Factory> = new Map<string, Factory>([
  ['elevenlabs', overSocket('elevenlabs', createElevenLabsProtocol)],
  ['cartesia', overSocket('cartesia', createCartesiaProtocol)],
  ['deepgram', overSocket('deepgram', createDeepgramTtsProtocol)],
  [
    'openai',
    {
      account: 'openai',
      create: (access, { clock, trustedFetch }) =>
        createOpenAiTts({ ...access, clock, fetch: trustedFetch }),
    },
  ],
]);

/** Voices that need a key, in the order of default choice among those that have one. */
export const KEYED_TTS_VENDORS: readonly string[] = [...FACTORIES.keys()];

/** The account that a voice uses; undefined for one that needs none. */
export const accountOfTts = (vendor: string): VendorAccount | undefined =>
  FACTORIES.get(vendor)?.account;

/** True if this vendor can be the default for an assistant that names none. */
export function isTtsReady(vendor: string, vendors: VendorAccesses): boolean {
  const account = FACTORIES.get(vendor)?.account;
  return account !== undefined && findAccess(vendors, account).apiKey !== undefined;
}

/** Undefined when there is no such vendor; throws ProviderError when it has no key. */
export function createTts(vendor: string, context: TtsContext): VendorTts | undefined {
  const factory = FACTORIES.get(vendor);
  if (!factory) return undefined;
  const { account } = factory;
  const { baseUrl } = findAccess(context.vendors, account);
  const apiKey = requireKey(context.vendors, account);
  const voice = factory.create({ apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) }, context);
  const limited = createLimitedTts(voice, context.queues.of('tts', vendor, account));
  return {
    ...createNormalisingTts(limited),
    warm: (manner) => voice.warm?.(manner),
    close: () => voice.close?.(),
  };
}
