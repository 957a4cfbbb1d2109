import { bytesFromPcm16 } from '../audio/pcm16.ts';
import { wavHeader } from '../audio/wav-header.ts';
import type { VendorPart, VendorTest } from '../contract/vendor-account.ts';
import { ProviderError } from '../lib/errors.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import { VENDOR_ACCOUNTS } from '../lib/vendor-accounts.ts';
import type { Clock } from '../ports/clock.ts';
import type { SpeechSample } from '../ports/speech-sample.ts';
import type { VendorTrials } from '../ports/vendor-trials.ts';
import { checkVendor } from './check-vendors.ts';
import { LLM_VENDORS, routeOf } from './llm-vendors.ts';
import { LOCAL, type ModelDirs } from './local-models.ts';
import { FLITE_VOICES } from './offline/tts/voices.ts';
import { speakSample, speakTestSentence } from './speak-sample.ts';
import { accountOfStt } from './stt-vendors.ts';
import type { TeamVendorSets } from './team-vendors.ts';
import { accountOfTts } from './tts-vendors.ts';
import { findAccess, type VendorAccesses, type VendorAccount } from './usable-vendor.ts';
import { VendorListReader } from './vendor-lists/list-reader.ts';
import { MODEL_LISTS } from './vendor-lists/models-protocol.ts';
import type { VendorListProtocol } from './vendor-lists/protocol.ts';
import { openAiVoices, VOICE_LISTS } from './vendor-lists/voices-protocol.ts';
import { RECOGNISER_NAMES, VOICE_NAMES } from './vendor-set.ts';

interface TrialsOptions {
  readonly teams: TeamVendorSets;
  /** The service's own accounts. */
  readonly vendors: VendorAccesses;
  readonly modelDirs: ModelDirs;
  /** For the vendors' own servers and those that the operator configured. */
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
}

/** Somebody waits for it. */
const TEST_MS = 20_000;
const SAMPLE_MS = 15_000;

const BUILT_IN_VOICES = FLITE_VOICES.map(({ id, language, description }) => ({
  id,
  name: id,
  languages: [language],
  gender: description.startsWith('female') ? ('female' as const) : ('male' as const),
  description: description.replace(/^(?:fe)?male, /, ''),
}));

const STATIC_VOICES = new Map([
  ['openai', openAiVoices],
  ['offline', BUILT_IN_VOICES],
]);

/** What a team can find out about vendors, with its own accounts and those of the service. */
export function createVendorTrials(options: TrialsOptions): Omit<VendorTrials, 'refresh'> {
  const { teams, vendors, modelDirs, fetch, clock } = options;
  const lists = new VendorListReader(fetch, clock);
  let sentence: Promise<SpeechSample> | undefined;

  const accessesOf = (teamId: string) => teams.accessesOf(teamId, vendors);

  /** The sentence that recognisers hear, spoken once. */
  const testSentence = (): Promise<SpeechSample> => {
    sentence ??= speakTestSentence(teams.of(undefined).tts('offline')).catch((error: unknown) => {
      sentence = undefined;
      throw error;
    });
    return sentence;
  };

  const readList = async <Entry>(
    kind: 'models' | 'voices',
    protocol: VendorListProtocol<Entry>,
    { teamId, signal }: { readonly teamId: string; readonly signal: AbortSignal },
  ): Promise<readonly Entry[]> => {
    const { vendor } = protocol;
    const { apiKey, baseUrl } = findAccess(accessesOf(teamId), vendor);
    if (apiKey === undefined) throw keyless(vendor);
    if (vendor === 'azure-openai' && baseUrl === undefined)
      throw unusableAccount(vendor, 'no_url', 'has no address: the operator sets it');
    const access = { apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) };
    return lists.read(kind, protocol, access, signal);
  };

  const parts = (teamId: string): readonly VendorPart[] => {
    const accesses = accessesOf(teamId);
    const keyed = (account: VendorAccount | undefined) =>
      account === undefined || findAccess(accesses, account).apiKey !== undefined;
    const speech = (
      part: 'recogniser' | 'voice',
      name: string,
      account: VendorAccount | undefined,
      modelDir: string | undefined,
    ): VendorPart => {
      if (name === LOCAL) return partOf(part, name, undefined, modelDir ? '' : 'a model folder');
      return partOf(part, name, account, keyed(account) ? '' : 'a key');
    };
    return [
      ...LLM_VENDORS.map((name) => {
        const account = VENDOR_ACCOUNTS.find((one) => one === name);
        return partOf('model', name, account, missingOfModel(name, accesses));
      }),
      ...RECOGNISER_NAMES.map((name) =>
        speech('recogniser', name, accountOfStt(name), modelDirs.stt),
      ),
      ...VOICE_NAMES.map((name) => speech('voice', name, accountOfTts(name), modelDirs.tts)),
    ];
  };

  return {
    parts,
    async test({ teamId, vendor, signal }) {
      const set = teams.of(teamId);
      const sample = await testSentence();
      const ofAccount = parts(teamId).filter(({ account }) => account === vendor);
      const tests = ofAccount.map(async ({ part, name }): Promise<VendorTest> => {
        const checked = { port: part, vendor: name };
        const options = { clock, signal, deadlineMs: TEST_MS };
        const { port: _, vendor: __, ...result } = await checkVendor(set, checked, sample, options);
        return { part, name, ...result };
      });
      return Promise.all(tests);
    },
    async models(request) {
      const protocol = MODEL_LISTS.get(request.vendor);
      if (protocol) return readList('models', protocol, request);
      return LLM_VENDORS.some((name) => name === request.vendor) ? [] : undefined;
    },
    async voices(request) {
      const protocol = VOICE_LISTS.get(request.vendor);
      if (protocol) return readList('voices', protocol, request);
      if (!VOICE_NAMES.includes(request.vendor)) return undefined;
      return STATIC_VOICES.get(request.vendor) ?? [];
    },
    async speak({ teamId, vendor, voice, language, text, signal }) {
      if (!VOICE_NAMES.includes(vendor)) return undefined;
      const late = new AbortController();
      const abort = (): void => late.abort();
      const timer = clock.setTimeout(abort, SAMPLE_MS);
      signal.addEventListener('abort', abort, { once: true });
      try {
        const tts = teams.of(teamId).tts(vendor);
        const manner = { language, ...(voice === '' ? {} : { voice }) };
        return wavOf(
          await speakSample(tts, { text, ...manner, team: teamId, signal: late.signal }),
        );
      } catch (error) {
        if (!late.signal.aborted || signal.aborted) throw error;
        const message = `did not speak the sample within ${SAMPLE_MS / 1000} s`;
        throw new ProviderError({
          class: 'timeout',
          provider: vendor,
          code: 'sample_timeout',
          message: `${vendor} ${message}`,
        });
      } finally {
        clock.clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

function wavOf({ pcm, sampleRateHz }: SpeechSample): Uint8Array {
  const audio = bytesFromPcm16(pcm);
  const header = wavHeader({ sampleRateHz, channels: 1, dataBytes: audio.length });
  return Buffer.concat([header, audio]);
}

function partOf(
  part: VendorPart['part'],
  name: string,
  account: VendorAccount | undefined,
  missing: string,
): VendorPart {
  return {
    part,
    name,
    ...(account === undefined ? {} : { account }),
    ready: missing === '',
    ...(missing === '' ? {} : { missing }),
  };
}

/** What a model's vendor lacks, apart from what the assistant says itself: its model and the address of its server. */
function missingOfModel(provider: string, accesses: VendorAccesses): string {
  try {
    routeOf({ provider, model: 'any', url: 'https://model.invalid/v1' }, accesses);
    return '';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.code === 'no_key' ? 'a key' : 'an address';
  }
}

const unusableAccount = (provider: string, code: string, what: string) =>
  new ProviderError({ class: 'auth', provider, code, message: `${provider} ${what}` });

const keyless = (vendor: VendorAccount) => unusableAccount(vendor, 'no_key', 'has no key');
