import type { EngineKind } from './engine.ts';
import { parley } from './engines/parley.ts';
import { GOOD_SEPARATION, SMART_TURN_SEPARATION } from './oracle.ts';
import { LiveKit } from './peers/livekit.ts';
import type { Knowledge } from './peers/peer.ts';
import { PIPECAT_EARS, Pipecat } from './peers/pipecat.ts';
import { Vapi } from './peers/vapi.ts';

/** Our own, by what judges the pauses; the first is what ships. */
export const OURS = ['Parley', 'Parley + d′ 1.5', 'Parley + d′ 2.9'] as const;

/** What ships, with a model that never stays silent: where words over a reply are, it makes the difference. */
export const UNJUDGED = 'Parley, model never silent';

/** Rows that know the same of a pause: ours first. */
export const SAME_KNOWLEDGE: readonly (readonly [ours: string, ...peers: string[]])[] = [
  ['Parley', 'LiveKit, words', 'Pipecat, words', 'Vapi, words'],
  ['Parley + d′ 2.9', 'LiveKit, words + d′ 2.9', 'Pipecat, words + d′ 2.9', 'Vapi, words + d′ 2.9'],
];

/** Who is measured, ours first; each waits as it says of itself, stretched by a factor. */
export function enginesOf(stretch: number): readonly EngineKind[] {
  const [words, modest, good] = OURS;
  return [
    parley(words, stretch),
    parley(modest, stretch, SMART_TURN_SEPARATION),
    parley(good, stretch, GOOD_SEPARATION),
    { ...parley(UNJUDGED, stretch), judge: { deafTo: 0, answers: 1 } },
    ...asPublished(stretch),
    ...knowing('words', ', words', stretch),
    ...knowing('sound and words', ', words + d′ 2.9', stretch),
  ];
}

/** Peers with their own defaults. LiveKit's detector is given its published quality, Pipecat's smart turn its own. */
const asPublished = (stretch: number): readonly EngineKind[] => [
  {
    name: 'LiveKit cloud',
    separation: GOOD_SEPARATION,
    create: (settings, senses) =>
      new LiveKit(settings, senses, { knowledge: 'sound', stretch, adaptive: true }),
  },
  {
    name: 'LiveKit self-hosted',
    separation: GOOD_SEPARATION,
    create: (settings, senses) =>
      new LiveKit(settings, senses, { knowledge: 'sound', stretch, adaptive: false }),
  },
  {
    name: 'Pipecat',
    separation: SMART_TURN_SEPARATION,
    ears: PIPECAT_EARS,
    create: (settings) =>
      new Pipecat(settings, { knowledge: 'sound', stretch, strategy: 'turn analyzer' }),
  },
  {
    name: 'Pipecat, timer',
    ears: PIPECAT_EARS,
    create: (settings) =>
      new Pipecat(settings, { knowledge: 'sound', stretch, strategy: 'speech timeout' }),
  },
  {
    name: 'Vapi, rules',
    create: (settings) => new Vapi(settings, { knowledge: 'sound', stretch, endpointing: 'rules' }),
  },
  {
    name: 'Vapi, wait function',
    separation: GOOD_SEPARATION,
    create: (settings) =>
      new Vapi(settings, { knowledge: 'sound', stretch, endpointing: 'wait function' }),
  },
];

/** The same policies, told what our own engine is told of a pause. */
function knowing(knowledge: Knowledge, suffix: string, stretch: number): readonly EngineKind[] {
  const model = knowledge === 'words' ? {} : { separation: GOOD_SEPARATION };
  return [
    {
      name: `LiveKit${suffix}`,
      create: (settings, senses) =>
        new LiveKit(settings, senses, { knowledge, stretch, adaptive: true }),
      ...model,
    },
    {
      name: `Pipecat${suffix}`,
      ears: PIPECAT_EARS,
      create: (settings) =>
        new Pipecat(settings, { knowledge, stretch, strategy: 'turn analyzer' }),
      ...model,
    },
    {
      name: `Vapi${suffix}`,
      create: (settings) =>
        new Vapi(settings, { knowledge, stretch, endpointing: 'wait function' }),
      ...model,
    },
  ];
}

/** Each as it is. */
export const ENGINES = enginesOf(1);
