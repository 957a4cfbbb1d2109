import type { Plan, Script } from '../script.ts';
import type { Latency } from '../vendor-profiles.ts';
import { part, pieces, type Stage, script, turn } from './stage.ts';

const UNDER_DB = [8, 15, 20, 25, 30];

/** Speech without end beside the caller: a television, a radio, a waiting room. */
export function television(stage: Stage): Script {
  const { random, phrases } = stage;
  const underDb = random.pick(UNDER_DB);
  const said = () => turn(stage, random.pick(phrases.turns));
  return script(stage, 'television', {
    sort: `${underDb} dB below`,
    television: { underDb, sentences: phrases.television },
    acts: [said(), said(), said()],
    plan: {
      replies: [said(), said(), said()].map(() => ({
        pieces: pieces(random.pick(phrases.replies)),
      })),
    },
  });
}

/** A voice far away or under load. */
const SLOW: Latency = { medianMs: 900, p95Ms: 2200, p99Ms: 3200 };

/** Voices whose first audio is late. */
export function slowVoices(stage: Stage): Script {
  return voices(stage, 'slow-voices', { voiceFirst: SLOW });
}

/** Voices that stop after their first sound, in every reply. */
export function stalledVoices(stage: Stage): Script {
  const stallsAfterMs = Math.round(stage.random.between(150, 900));
  return voices(stage, 'stalled-voices', { stallsAfterMs });
}

function voices(
  stage: Stage,
  scriptClass: 'slow-voices' | 'stalled-voices',
  plan: Partial<Plan>,
): Script {
  const { random, phrases } = stage;
  const said = () => turn(stage, random.pick(phrases.turns));
  return script(stage, scriptClass, {
    sort: 'turns',
    acts: [said(), said(), said()],
    plan: { wordTimes: random.chance(0.5), ...plan },
    settings: { maxConsecutiveTtsFailures: 2 },
    tailMs: 12_000,
  });
}

/** The caller speaks before the welcome has begun to sound. */
export function welcomeRaces(stage: Stage): Script {
  const { random, phrases } = stage;
  const greets = random.chance(0.25);
  const longer = phrases.turns.filter((text) => text.split(' ').length >= 4);
  const text = greets ? phrases.greeting : random.pick(longer);
  return script(stage, 'welcome-races', {
    sort: greets ? 'greeting' : 'request',
    acts: [
      {
        kind: 'turn',
        start: { after: 'answer', ms: Math.round(random.between(100, 1600)) },
        parts: [part(stage, text)],
        ...(greets && { greeting: true }),
      },
      turn(stage, random.pick(phrases.turns)),
    ],
    plan: { welcomeFirstMs: Math.round(random.between(300, 3500)) },
  });
}
