import type { Act, Anchor, Script } from '../script.ts';
import { part, pieces, type Stage, script, sound, turn } from './stage.ts';

/** The caller takes the floor while the assistant has it, or is about to have it. */
export function bargeIns(stage: Stage): Script {
  const { random, phrases } = stage;
  const draw = random.next();
  const sort =
    draw < 0.34 ? 'stop word' : draw < 0.7 ? 'sentence' : draw < 0.82 ? 'soft voice' : 'early';
  const text = random.pick(sort === 'stop word' ? phrases.stops : phrases.interruptions);
  const soft = { vadLagMs: Math.round(random.between(200, 500)) };
  const words = random.fork('mode').chance(0.15) ? 2 : 0;
  return script(stage, 'barge-ins', {
    sort: words > 0 && sort !== 'early' ? `${sort}, words mode` : sort,
    acts: [
      turn(stage, random.pick(phrases.turns)),
      {
        kind: 'interruption',
        start: sort === 'early' ? early(stage) : momentOf(stage),
        parts: [part(stage, text)],
        ...(sort === 'soft voice' ? { hearing: soft } : {}),
      },
    ],
    plan: {
      replies: [
        { pieces: random.pick(phrases.longReplies) },
        { pieces: pieces(random.pick(phrases.replies)) },
      ],
      wordTimes: random.fork('words').chance(0.85),
    },
    settings: { stopSpeaking: { numberOfWords: words, voiceMs: 200 } },
  });
}

function momentOf({ random }: Stage): Anchor {
  return { into: 'reply', share: random.pick([0.05, 0.3, 0.3, 0.6, 0.6, 0.95]) };
}

// While the model thinks, or in the first quarter of a second of its answer.
function early({ random }: Stage): Anchor {
  return random.chance(0.5)
    ? { after: 'act', ms: Math.round(random.between(350, 900)) }
    : { into: 'reply', ms: Math.round(random.between(20, 240)) };
}

const SORTS = [
  'backchannel',
  'backchannel',
  'backchannel',
  'cough',
  'noise',
  'television',
  'echo',
  'side talk',
  'hold music',
  'noise while thinking',
] as const;

/** Sound over the reply, or before it, that takes no floor. */
export function nonInterruptions(stage: Stage): Script {
  const { random, phrases } = stage;
  const sort = random.pick(SORTS);
  return script(stage, 'non-interruptions', {
    sort,
    acts: [
      turn(stage, random.pick(phrases.turns)),
      overlap(stage, sort),
      turn(stage, random.pick(phrases.turns), {
        start: { after: 'reply', ms: Math.round(random.between(1800, 3000)) },
      }),
    ],
    plan: {
      replies: [
        { pieces: random.pick(phrases.longReplies) },
        { pieces: pieces(random.pick(phrases.replies)) },
      ],
    },
    settings: { callType: random.fork('call').chance(0.5) ? 'web' : 'phone' },
  });
}

function overlap(stage: Stage, sort: (typeof SORTS)[number]): Act {
  const { random, phrases } = stage;
  const start: Anchor = { into: 'reply', share: random.between(0.12, 0.8) };
  switch (sort) {
    case 'backchannel':
      return {
        kind: 'backchannel',
        start,
        parts: [part(stage, random.pick(phrases.backchannels))],
      };
    case 'cough': {
      const burst = () => sound(random.between(150, 380), random.between(80, 400));
      const parts = random.chance(0.5) ? [burst()] : [burst(), burst()];
      return { kind: 'noise', start, parts };
    }
    case 'noise':
      return { kind: 'noise', start, parts: [sound(random.between(60, 900))] };
    case 'television':
      return {
        kind: 'background',
        start,
        parts: [part(stage, random.pick(phrases.television))],
        // A voice from across the room reaches the recogniser only now and then.
        hearing: { text: random.chance(0.35) ? 'final-only' : 'none', vadLagMs: 150 },
      };
    case 'echo':
      return {
        kind: 'echo',
        start,
        parts: [{ text: '(echo)', ms: Math.round(random.between(500, 2200)), pauseMs: 0 }],
        echoLagMs: Math.round(random.between(80, 300)),
      };
    case 'side talk':
      return { kind: 'side-talk', start, parts: [part(stage, random.pick(phrases.sideTalk))] };
    case 'hold music': {
      const swell = () => sound(random.between(300, 1600), random.between(250, 900));
      return { kind: 'background', start, parts: [swell(), swell(), swell()] };
    }
    case 'noise while thinking':
      return {
        kind: 'noise',
        start: { after: 'act', ms: Math.round(random.between(350, 700)) },
        parts: [sound(random.between(120, 700))],
      };
  }
}
