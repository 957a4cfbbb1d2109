import type { StampedCommand } from '../../../src/engine/machine/commands.ts';
import type { JournalLine } from '../../../src/ports/journal.ts';
import type { WordTiming } from '../../../src/ports/tts.ts';
import type { Act, Script } from './script.ts';

/** What a caller in fact did. */
export interface RealisedAct {
  readonly act: Act;
  readonly from: number;
  /** End of its last sound. */
  to: number;
  readonly pauses: { readonly from: number; to: number }[];
  /** When the caller was done with it. */
  ended?: number;
  /** The assistant spoke into it, and the caller gave up. */
  broken: boolean;
  /** From its end to the recogniser's last word on it. */
  tailMs: number;
}

/** An uninterrupted stretch of assistant audio at the caller's ear. */
export interface Sound {
  readonly from: number;
  readonly to: number;
  readonly uttId: number;
  /** Where in the utterance it begins. */
  readonly fromMs: number;
}

export interface Generation {
  readonly genId: number;
  readonly at: number;
  readonly turn: number;
  /** To the first sentence. */
  readonly firstMs: number;
  readonly speculative: boolean;
  readonly pieces: readonly string[];
  /** Length of all of them. */
  readonly totalMs: number;
}

export interface Utterance {
  readonly uttId: number;
  readonly text: string;
  readonly at: number;
  readonly firstMs: number;
  readonly totalMs: number;
  readonly words: readonly WordTiming[];
  /** The generation whose text it speaks; none for lines of the engine's own. */
  readonly genId: number | undefined;
}

/** Everything that a run of a script gave, and what was true in it. */
export interface Trace {
  readonly script: Script;
  readonly acts: readonly RealisedAct[];
  readonly commands: readonly StampedCommand[];
  readonly sounds: readonly Sound[];
  readonly generations: ReadonlyMap<number, Generation>;
  readonly utterances: ReadonlyMap<number, Utterance>;
  /** Instants at which an engine that had not finished had nothing to wait for. */
  readonly stuck: number;
  /** Where the engine stood at the end. */
  readonly end: { readonly at: number; readonly finished: boolean; readonly resting: boolean };
  readonly journal: readonly JournalLine[] | undefined;
  readonly fault: string | undefined;
}
