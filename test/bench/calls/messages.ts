import type { Wire } from './spoken-turns.ts';

/** A time in which something did not go on. */
export interface Gap {
  /** When it went on. Instants are the machine's monotonic ms. */
  readonly atMs: number;
  readonly ms: number;
}

/** One call of the load, as its caller saw it. Instants are the machine's monotonic ms. */
export interface LineReport {
  /** The caller's number, or the call's id where it has none. */
  readonly party: string;
  readonly wire: Wire;
  /** How late each frame came for one who plays without a pause, ms; 0: in time. */
  readonly latenessMs: readonly number[];
  /** First audio of each reply. */
  readonly replyAt: readonly number[];
  readonly clearAt: readonly number[];
  /** Pauses within replies, those that the service held among them. */
  readonly gaps: readonly Gap[];
  readonly framesSent: number;
  /** When the first frame of the script was sent, or would have been: every other is on a grid from there. */
  readonly scriptAt?: number;
  /** Why it ended before its time. */
  readonly lost?: string;
}

export interface Target {
  readonly kind: 'service' | 'floor';
  readonly url: string;
  readonly calls: number;
  readonly wires: readonly Wire[];
  /** Callers that never say a word. */
  readonly silent: boolean;
  readonly apiKey?: string;
  readonly assistantId?: string;
  readonly carrier?: { readonly number: string; readonly authToken: string };
}

/** What the process of the callers is asked, and answers. */
export interface CallersApi {
  /** Connects the calls; resolves when all talk, or are refused. */
  connect(target: Target): { readonly connected: number; readonly refused: readonly string[] };
  /** Forgets what was measured so far. */
  reset(): void;
  /** Of all calls since the reset, and how late this process itself was. */
  report(): {
    readonly lines: readonly LineReport[];
    readonly ownDelayMs: readonly number[];
    /** Where this process itself stood still. */
    readonly ownGaps: readonly Gap[];
  };
  hangup(): void;
  /** Holds short calls one after the other, some at once; resolves with how many were answered. */
  churn(target: Target, options: { readonly atOnce: number; readonly frames: number }): number;
}

/** A recogniser's final text on its way to the service. */
export interface FinalSaid {
  readonly callId: string;
  readonly party: string;
  readonly atMs: number;
  /** When model and voice were busy with the first sound of the answer. */
  readonly own: readonly { readonly from: number; readonly to: number }[];
}

export interface VendorsApi {
  urls(): {
    readonly stt: string;
    readonly tts: string;
    readonly llm: string;
    readonly carrier: string;
  };
  reset(): void;
  report(): {
    readonly finals: readonly FinalSaid[];
    /** The call of each party that asked anything. */
    readonly callIds: Readonly<Record<string, string>>;
    /** Where this process itself stood still. */
    readonly ownGaps: readonly Gap[];
  };
}

/** What the probe inside a measured process tells. */
export interface Reading {
  readonly cpuMs: number;
  readonly mainThreadCpuMs: number;
  /** CPU by the name of the thread; empty where the system does not tell. */
  readonly threadsCpuMs: Readonly<Record<string, number>>;
  readonly atMs: number;
  /** The process's wall clock minus the machine's monotonic one, ms. */
  readonly clockOffsetMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly externalBytes: number;
  /** What is open, by kind. */
  readonly handles: Readonly<Record<string, number>>;
  readonly loopDelayMs: {
    readonly p50: number;
    readonly p99: number;
    readonly p999: number;
    readonly max: number;
  };
  /** Collections since the last reading, by kind: how many, and how long the loop stood still for them. */
  readonly collections: Readonly<Record<string, { readonly count: number; readonly ms: number }>>;
}

/** Where time goes, or where memory is asked for, whatever becomes of it. */
export interface WantedProfile {
  readonly kind: 'cpu' | 'allocations';
  /** The file it goes to. */
  readonly path: string;
}

/** A time in which the thread of the calls did one thing. */
export interface Held {
  /** A kind of work or of collection, or `loop`: a turn of the loop, whatever was done in it. */
  readonly by: string;
  readonly endedAt: number;
  readonly ms: number;
}

/** What a loop did, turn by turn. Instants are the machine's monotonic ms. */
export interface LoopTurns {
  /** When each turn had done what it was woken for, and how long it worked, ms. */
  readonly endedAt: Float64Array;
  readonly activeMs: Float64Array;
  readonly collections: readonly Pick<Held, 'endedAt' | 'ms'>[];
}

/** What a canary is asked, and answers. */
export interface CanaryApi {
  reset(): void;
  report(): readonly Gap[];
}

export interface ProbeApi {
  /** From now on notes what holds the thread of the calls, piece by piece. */
  startTrace(): void;
  stopTrace(): readonly Held[];
  /** From now on notes every turn of the loop, and every collection. */
  startTurns(): void;
  stopTurns(): LoopTurns;
  /** Brings the heap of a young process to the size that it has after minutes of calls. */
  age(): void;
  /** From now on the loop's delay is counted anew. `gc`: after everything unused was let go. */
  read(options: { readonly gc: boolean }): Reading;
  startProfile(wanted: WantedProfile): void;
  stopProfile(wanted: WantedProfile): void;
}

/** The machine's monotonic ms: the same in every process. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
