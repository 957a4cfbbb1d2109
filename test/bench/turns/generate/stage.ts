import type { CallSettings } from '../../../../src/engine/settings/settings.ts';
import { german } from '../phrases/de.ts';
import { english } from '../phrases/en.ts';
import { spanish } from '../phrases/es.ts';
import { french } from '../phrases/fr.ts';
import { NEVER_SEEN } from '../phrases/never-seen.ts';
import type { Phrases } from '../phrases/phrases.ts';
import { Random } from '../random.ts';
import type { Act, Hearing, Part, Plan, Script, ScriptClass } from '../script.ts';
import type { RecogniserName } from '../vendor-profiles.ts';

const LANGUAGES: readonly Phrases[] = [english, english, french, german, spanish];

/** What one script is made from: its own stream of choices, a language, a caller's pace. */
export interface Stage {
  readonly id: string;
  readonly random: Random;
  readonly phrases: Phrases;
  readonly neverSeen: boolean;
  readonly msPerLetter: number;
}

export function stageOf(seed: number, scriptClass: ScriptClass, n: number): Stage {
  const id = `${scriptClass}-${seed}-${n}`;
  const random = new Random(id);
  const first = random.pick(LANGUAGES);
  const neverSeen = random.fork('hand').chance(0.5);
  return {
    id,
    random,
    phrases: neverSeen ? { ...first, ...NEVER_SEEN[first.language] } : first,
    neverSeen,
    // 130 to 210 words a minute.
    msPerLetter: random.between(42, 68),
  };
}

/** How long someone needs to say it. */
export function speechMs({ msPerLetter }: Stage, text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return Math.round(words.reduce((sum, word) => sum + (word.length + 1.6) * msPerLetter, 0));
}

export const part = (stage: Stage, text: string, pauseMs = 0): Part => ({
  text,
  ms: Math.max(180, speechMs(stage, text)),
  pauseMs: Math.round(pauseMs),
});

/** Sound that is no speech. */
export const sound = (ms: number, pauseMs = 0): Part => ({
  text: '',
  ms: Math.round(ms),
  pauseMs: Math.round(pauseMs),
});

/** A whole turn without a pause, said a moment after the assistant has finished. */
export function turn(stage: Stage, text: string, more: Partial<Act> = {}): Act {
  return {
    kind: 'turn',
    start: { after: 'reply', ms: Math.round(stage.random.lognormal(450, 1400)) },
    parts: [part(stage, text)],
    ...more,
  };
}

/** How often a recogniser takes a pause for the end of a sentence: sparing ones, and ones that close every stretch. */
const FULL_STOPS = [0.25, 0.6, 0.9];

interface Setting {
  readonly sort: string;
  readonly acts: readonly Act[];
  readonly plan?: Partial<Plan>;
  readonly hearing?: Hearing;
  readonly settings?: Partial<CallSettings>;
  readonly welcome?: string;
  readonly recogniser?: RecogniserName;
  readonly television?: Script['television'];
  readonly tailMs?: number;
}

export function script(stage: Stage, scriptClass: ScriptClass, setting: Setting): Script {
  const { random, phrases, id, neverSeen } = stage;
  const { television } = setting;
  return {
    id,
    class: scriptClass,
    sort: setting.sort,
    language: phrases.language,
    seed: id,
    recogniser: setting.recogniser ?? 'nova-3',
    hearing: {
      // A quarter of recognisers in use (or of their settings) give no punctuation.
      punctuation: random.fork('punctuation').chance(0.25) ? 'none' : 'full',
      fullStops: random.fork('full stops').pick(FULL_STOPS),
      ...setting.hearing,
    },
    callerDb: Math.round(random.fork('level').between(-30, -18)),
    ...(television && { television }),
    neverSeen,
    settings: {
      welcome: {
        message: setting.welcome ?? phrases.welcome,
        mode: 'assistant-speaks-first',
        interruptible: true,
      },
      ...setting.settings,
    },
    plan: {
      replies: [{ pieces: pieces(random.pick(phrases.replies)) }],
      msPerWord: Math.round(random.between(270, 350)),
      wordTimes: true,
      ...setting.plan,
    },
    acts: setting.acts,
    tailMs: setting.tailMs ?? 9000,
  };
}

/** Sentences, as the session hands them on. */
export const pieces = (text: string): readonly string[] =>
  text.match(/[^.!?]+[.!?]+/g)?.map((sentence) => sentence.trim()) ?? [text];
