import { randomBytes } from 'node:crypto';
import type { VendorCatalogue, VendorList, VendorProblem } from '../contract/vendors.ts';
import { createGuardedFetch, type OutboundFetch } from '../lib/guarded-fetch.ts';
import type { CallThread, ThreadUse } from '../lib/thread-use.ts';
import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Llm } from '../ports/llm.ts';
import type { Log } from '../ports/log.ts';
import type { TurnPredictor } from '../ports/predictor.ts';
import type { Stt } from '../ports/stt.ts';
import type { Tts } from '../ports/tts.ts';
import type { Vad } from '../ports/vad.ts';
import type { VendorMeter } from '../ports/vendor-meter.ts';
import type { VendorTrials } from '../ports/vendor-trials.ts';
import {
  type AssistantOwner,
  type AssistantVendors,
  chooseRecogniser,
  chooseVoice,
  type ProviderContext,
} from './assistant-vendors.ts';
import { createBuiltInEngines } from './built-in-engines.ts';
import { allMeters } from './decorators/all-meters.ts';
import { createMeasuredLlm } from './decorators/measured-llm.ts';
import { llmOfTeam, sttOfTeam, ttsOfTeam } from './decorators/of-team.ts';
import { VoiceCache } from './decorators/voice-cache.ts';
import { FLUX_LANGUAGES } from './deepgram-flux-stt/protocol.ts';
import { isLlmReady, LLM_VENDORS, type LlmChoice, modelOf, routeOf } from './llm-vendors.ts';
import { createLocalModels, LOCAL, type ModelDirs } from './local-models.ts';
import { languageTags } from './offline/stt/languages.ts';
import { FLITE_VOICES } from './offline/tts/voices.ts';
import { createOpenAiEmbedder } from './openai-embeddings/adapter.ts';
import { isSttReady } from './stt-vendors.ts';
import { TeamVendorSets, type TeamVendors, withServers } from './team-vendors.ts';
import { isTtsReady } from './tts-vendors.ts';
import type { TurnOutcome } from './turn-model/turn-model.ts';
import { findAccess, type VendorAccesses } from './usable-vendor.ts';
import { findVendorProblems } from './vendor-problems.ts';
import { VendorQueues } from './vendor-queues.ts';
import { createVendorSet, RECOGNISER_NAMES, type VendorSet, VOICE_NAMES } from './vendor-set.ts';
import { createVendorTrials } from './vendor-trials.ts';

export interface ProvidersOptions {
  readonly vendors: VendorAccesses;
  /** Settings of semantic search; absent fields default to openai's. */
  readonly embeddings?: {
    readonly baseUrl?: string;
    readonly model?: string;
    readonly apiKey?: string;
  };
  /** Models that run on this machine. */
  readonly modelDirs?: ModelDirs;
  /** Allows model servers of users to have private addresses. */
  readonly allowPrivateTargets: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after each judgement that was asked of the turn model. */
  readonly onTurnJudged?: (outcome: TurnOutcome) => void;
  /** Counts the requests of all calls to vendors. */
  readonly meter?: VendorMeter;
  /** The calls that need the threads of the built-in engines. */
  readonly threadUse?: ThreadUse;
}

/** The vendors of one service, shared by its calls. Selecting an unusable one throws ProviderError. */
export interface Providers {
  readonly catalogue: VendorCatalogue;
  readonly vad: Vad;
  /** Judges by sound whether a caller who pauses is done; undefined: the words decide alone. */
  readonly predictor: TurnPredictor | undefined;
  /** `team`: the team that makes the requests; absent for the service itself. */
  llm(choice: LlmChoice, team?: string): Llm;
  stt(vendor: string): Stt;
  tts(vendor: string): Tts;
  /** Absent when neither a model nor a server of embeddings is configured: passages are then found by words only. */
  readonly embedder: Embedder | undefined;
  /** Replaces the vendors' accounts and limits of teams; all others have the service's. */
  setTeams(teams: ReadonlyMap<string, TeamVendors>): void;
  /** Cached voice audio is shared within the owner's scope. */
  forAssistant(assistant: AssistantVendors, owner?: AssistantOwner): CallVendors;
  /** Problems that make an assistant's vendors unusable; empty when all are usable. */
  problemsOf(assistant: AssistantVendors, team?: string): readonly VendorProblem[];
  /** What a team can find out about vendors. */
  readonly trials: Omit<VendorTrials, 'refresh'>;
  /** Starts the built-in engines that a call of this assistant may use; resolves when it may begin, within a second. */
  wake(assistant: AssistantVendors): Promise<void>;
  /** The threads that a call of this assistant may need until it ends. */
  threadsOf(assistant: AssistantVendors): readonly CallThread[];
  /** Loads the local models. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** The model, voices and recogniser of one call. */
export interface CallVendors {
  readonly llm: Llm;
  readonly stt: Stt;
  readonly tts: Tts;
  /** Opens connections and starts engines before they are needed; cheap when that is done. */
  warm(sampleRateHz: number): void;
}

const modelChoice = (assistant: AssistantVendors): LlmChoice => ({
  provider: assistant.assistantProvider,
  model: assistant.assistantModel,
  url: assistant.assistantLLMUrl,
});

function listOf(names: readonly string[], ready: (name: string) => boolean): VendorList {
  return { names, defaultName: names.find(ready) ?? 'offline' };
}

/** A user's own server may need no key; openai's does. */
function createEmbedder(
  { vendors, clock, embeddings = {} }: ProvidersOptions,
  fetch: OutboundFetch,
): Embedder | undefined {
  const openai = findAccess(vendors, 'openai');
  const isOwn = embeddings.baseUrl !== undefined;
  const apiKey = embeddings.apiKey ?? (isOwn ? '' : openai.apiKey);
  if (apiKey === undefined) return undefined;
  const baseUrl = embeddings.baseUrl ?? openai.baseUrl;
  const { model } = embeddings;
  return createOpenAiEmbedder({
    apiKey,
    ...(baseUrl ? { baseUrl } : {}),
    ...(model ? { model } : {}),
    clock,
    fetch,
  });
}

/** Builds every vendor's adapter; each is created once and shared by all calls. */
export function createProviders(options: ProvidersOptions): Providers {
  const { clock, log, vendors, meter = allMeters() } = options;
  const guarded = createGuardedFetch({ allowPrivate: options.allowPrivateTargets, clock });
  const trusted = createGuardedFetch({ allowPrivate: true, clock });
  const builtIn = createBuiltInEngines({ clock, log, threadUse: options.threadUse });
  const local = createLocalModels({
    dirs: options.modelDirs ?? {},
    clock,
    log,
    onTurnJudged: options.onTurnJudged,
  });
  const createSet = (accesses: VendorAccesses): VendorSet =>
    createVendorSet({
      context: {
        vendors: accesses,
        clock,
        random: Math.random,
        queues: new VendorQueues(accesses, (team) => teams.concurrencyOf(team)),
        createId: () => `call_${randomBytes(12).toString('base64url')}`,
        trustedFetch: trusted.fetch,
        guardedFetch: guarded.fetch,
      },
      ...{ builtIn, local, meter, log },
    });
  const service = createSet(vendors);
  const teams = new TeamVendorSets(service, (own) => createSet(withServers(own, vendors)), clock);
  const cache = new VoiceCache();

  return {
    catalogue: {
      llm: listOf(LLM_VENDORS, (name) =>
        LLM_VENDORS.some((it) => it === name && isLlmReady(it, vendors)),
      ),
      stt: {
        ...listOf(RECOGNISER_NAMES, (name) =>
          name === LOCAL ? options.modelDirs?.stt !== undefined : isSttReady(name, vendors),
        ),
        languages: { offline: languageTags, 'deepgram-flux': FLUX_LANGUAGES },
      },
      tts: {
        voices: { offline: FLITE_VOICES.map(({ id }) => id) },
        languages: { offline: ['en'] },
        ...listOf(VOICE_NAMES, (name) =>
          name === LOCAL ? options.modelDirs?.tts !== undefined : isTtsReady(name, vendors),
        ),
      },
    },
    vad: builtIn.vad,
    get predictor() {
      return local.predictor;
    },
    llm: (choice, team) => llmOfTeam(teams.of(team).llm(choice), team),
    stt: (vendor) => service.stt(vendor),
    tts: (vendor) => service.tts(vendor),
    setTeams: (known) => teams.set(known),
    embedder: local.embedder ?? createEmbedder(options, trusted.fetch),
    forAssistant(assistant, owner = {}) {
      const choice = modelChoice(assistant);
      const set = teams.of(owner.teamId);
      const model = set.llm(choice);
      const shelf: ProviderContext = { clock, log, meter, cache, ...set };
      const voice = chooseVoice(shelf, assistant, owner);
      return {
        llm: llmOfTeam(
          owner.meter
            ? createMeasuredLlm(model, { model: modelOf(choice), clock, meter: owner.meter })
            : model,
          owner.teamId,
        ),
        stt: sttOfTeam(chooseRecogniser(shelf, assistant, owner), owner.teamId),
        tts: ttsOfTeam(voice.tts, owner.teamId),
        warm(sampleRateHz) {
          void builtIn.wake(assistant);
          model.warm?.();
          voice.warm(sampleRateHz);
        },
      };
    },
    problemsOf(assistant, team) {
      const { stt, tts } = teams.of(team);
      const accesses = teams.accessesOf(team, vendors);
      const llm = (named: AssistantVendors) => routeOf(modelChoice(named), accesses);
      return findVendorProblems(assistant, { llm, stt, tts });
    },
    trials: createVendorTrials({
      modelDirs: options.modelDirs ?? {},
      fetch: trusted.fetch,
      ...{ teams, vendors, clock },
    }),
    wake: (assistant) => builtIn.wake(assistant),
    threadsOf: (assistant) => builtIn.threadsOf(assistant),
    warmUp: () => local.warmUp(),
    async close() {
      service.close();
      teams.close();
      await Promise.all([local.close(), builtIn.close(), guarded.close(), trusted.close()]);
    },
  };
}
