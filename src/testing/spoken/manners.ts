import type { LineConditionName } from '../../contract/assistant-test-result.ts';
import type { Manner } from './caller-voice.ts';

/** What is in the way of a caller. Levels are dB below the caller's voice. */
export interface LineCondition {
  readonly name: LineConditionName;
  readonly manner: Manner;
  readonly sampleRateHz: number;
  readonly pinkUnderDb?: number;
  readonly babbleUnderDb?: number;
  readonly televisionUnderDb?: number;
  /** Level of the loudspeaker at the microphone. */
  readonly echoDb?: number;
  /** Share of packets that are lost. */
  readonly loss?: number;
  /** A telephone's line: G.711 and its noise. */
  readonly isTelephone?: boolean;
  /** What the caller does to each answer. */
  readonly over?: 'interrupts' | 'backchannels';
  /** The caller thinks for so long before each line. */
  readonly silenceSeconds?: number;
}

const CALLER: Manner = { voice: 'rms' };
const clean = { manner: CALLER, sampleRateHz: 16_000 } as const;

/** All conditions, in the order of their names. */
export const LINE_CONDITIONS: readonly LineCondition[] = [
  { ...clean, name: 'clean' },
  { ...clean, name: 'fast', manner: { ...CALLER, speed: 1.3 } },
  { ...clean, name: 'slow', manner: { ...CALLER, speed: 0.8 } },
  { ...clean, name: 'high', manner: { voice: 'slt', pitch: 1.15 } },
  { ...clean, name: 'deep', manner: { ...CALLER, pitch: 0.88 } },
  { ...clean, name: 'noise', pinkUnderDb: 15 },
  { ...clean, name: 'babble', babbleUnderDb: 15 },
  { ...clean, name: 'television', televisionUnderDb: 15 },
  { ...clean, name: 'echo', echoDb: -20 },
  { ...clean, name: 'loss', loss: 0.05 },
  { ...clean, name: 'telephone', sampleRateHz: 8000, isTelephone: true },
  { ...clean, name: 'interruptions', over: 'interrupts' },
  { ...clean, name: 'backchannels', over: 'backchannels' },
  { ...clean, name: 'silence', silenceSeconds: 4 },
];
