import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * LiveKit Agents for Node and what a session with these vendors needs, as the newest of each was on 2026-11-26. The
 * plugin for Cartesia had no 1.9.0 then.
 */
export const VERSIONS = {
  '@livekit/agents': '1.9.0',
  '@livekit/agents-plugin-cartesia': '1.8.1',
  '@livekit/agents-plugin-deepgram': '1.9.0',
  '@livekit/agents-plugin-openai': '1.9.0',
  '@livekit/agents-plugin-silero': '1.9.0',
  '@livekit/rtc-node': '0.13.34',
  zod: '4.6.7',
} as const;

export interface AudioFrame {
  readonly data: Int16Array;
  readonly sampleRate: number;
  readonly samplesPerChannel: number;
}

export interface StreamChannel<T> {
  write(chunk: T): Promise<void>;
  stream(): unknown;
  close(): Promise<void>;
}

export interface AudioInput {
  readonly multiStream: { addInputStream(stream: unknown): string };
  close(): Promise<void>;
}

interface Playback {
  readonly playbackPosition: number;
  readonly interrupted: boolean;
}

export interface AudioOutput {
  readonly pendingPlayoutSegments: number;
  captureFrame(frame: AudioFrame): Promise<void>;
  flush(): void;
  clearBuffer(): void;
  pause(): void;
  resume(): void;
  onPlaybackStarted(createdAt: number): void;
  onPlaybackFinished(playback: Playback): void;
}

export interface AgentSession {
  readonly input: { audio: AudioInput | null };
  readonly output: { audio: AudioOutput | null };
  start(options: { readonly agent: object }): Promise<void>;
  close(): Promise<void>;
}

export interface JobContext {
  readonly job: { readonly id: string };
  shutdown(reason: string): void;
}

export interface InferenceExecutor {
  start(): Promise<void>;
  initialize(): Promise<void>;
  close(): Promise<void>;
}

type Make<Made, Options = object> = new (options: Options) => Made;

/** What the bench uses of them. They are no dependency of the project: nothing here knows their own types. */
export interface LiveKit {
  readonly agents: {
    readonly voice: {
      readonly AgentSession: Make<AgentSession>;
      readonly Agent: Make<object, { readonly instructions: string }>;
      readonly AudioInput: abstract new () => AudioInput;
      readonly AudioOutput: abstract new (
        sampleRate: number,
        nextInChain: undefined,
        capabilities: { readonly pause: boolean },
      ) => AudioOutput;
    };
    readonly inference: {
      readonly TurnDetector: Make<object, { readonly executor: InferenceExecutor }>;
    };
    readonly stream: { createStreamChannel<T>(): StreamChannel<T> };
    readonly InferenceRunner: { registerRunner(method: string, url: string): void };
    initializeLogger(options: { readonly pretty: boolean; readonly level: string }): void;
    defineAgent(agent: { entry(context: JobContext): Promise<void> }): object;
  };
  readonly cartesia: { readonly TTS: Make<object> };
  readonly deepgram: { readonly STT: Make<object> };
  readonly openai: { readonly LLM: Make<object> };
  readonly rtc: {
    readonly AudioFrame: new (
      data: Int16Array,
      sampleRate: number,
      channels: number,
      samplesPerChannel: number,
    ) => AudioFrame;
  };
}

const moduleIn = (folder: string, file: string) =>
  import(pathToFileURL(join(folder, 'node_modules', file)).href);

const pluginIn = (folder: string, name: string) =>
  moduleIn(folder, `@livekit/agents-plugin-${name}/dist/index.js`);

/** Their packages, from the folder into which they were installed. */
export async function loadLiveKit(folder: string): Promise<LiveKit> {
  const agents = await moduleIn(folder, '@livekit/agents/dist/index.js');
  // Plugins write to the log as soon as they are there.
  agents.initializeLogger({ pretty: false, level: 'info' });
  return {
    agents,
    cartesia: await pluginIn(folder, 'cartesia'),
    deepgram: await pluginIn(folder, 'deepgram'),
    openai: await pluginIn(folder, 'openai'),
    rtc: await moduleIn(folder, '@livekit/rtc-node/dist/index.js'),
  } as LiveKit;
}

/** The voice activity of their plugin, which brings a runtime of its own: only for those who use it. */
export async function loadSilero(folder: string): Promise<object> {
  const { VAD } = await pluginIn(folder, 'silero');
  return VAD.load();
}

/** The process that a worker of theirs starts for the model that hears the end of a turn (`worker.ts`, `AgentServer`). */
export async function startInference(
  folder: string,
  { agents }: LiveKit,
): Promise<InferenceExecutor> {
  const dist = (file: string) =>
    pathToFileURL(join(folder, 'node_modules/@livekit/agents/dist', file));
  agents.InferenceRunner.registerRunner('lk_eot_audio', dist('inference/eot/runner.js').href);
  const { InferenceProcExecutor } = await import(dist('ipc/inference_proc_executor.js').href);
  const executor: InferenceExecutor = InferenceProcExecutor.createIfNeeded();
  await executor.start();
  await executor.initialize();
  return executor;
}

interface JobInfo {
  readonly job: object;
  readonly acceptArguments: object;
  readonly url: string;
  readonly token: string;
  readonly workerId: string;
  readonly fakeJob: boolean;
}

export interface JobPool {
  start(): void;
  launchJob(info: JobInfo): Promise<void>;
  close(): Promise<void>;
}

/** The pool in which a worker of theirs keeps a process for each job, with its defaults (`worker.ts`, `ServerOptions`). */
export async function createJobPool(
  folder: string,
  options: {
    readonly agent: string;
    readonly inferenceExecutor: InferenceExecutor;
    readonly numIdleProcesses: number;
  },
): Promise<{ readonly pool: JobPool; readonly jobOf: (id: string) => object }> {
  const { ProcPool } = await moduleIn(folder, '@livekit/agents/dist/ipc/proc_pool.js');
  const { Job, JobType, Room } = await moduleIn(folder, '@livekit/protocol/dist/index.mjs');
  const pool: JobPool = new ProcPool({
    initializeTimeout: 10_000,
    closeTimeout: 60_000,
    sessionEndTimeout: 300_000,
    memoryWarnMB: 1000,
    memoryLimitMB: 0,
    ...options,
  });
  const jobOf = (id: string) =>
    new Job({ id, type: JobType.JT_ROOM, room: new Room({ name: id }) });
  return { pool, jobOf };
}
