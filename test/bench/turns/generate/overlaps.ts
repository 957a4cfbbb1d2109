import type { Act, Anchor, Part, Script } from '../script.ts';
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
        ...(sort === 'soft voice' ? { hearing: soft, levelDb: -12 } : {}),
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

/** A turn, a sound over its answer that takes no floor, and another turn. */
function overlapped(
  stage: Stage,
  scriptClass: 'backchannels' | 'noises' | 'side-talk' | 'echo',
  sort: string,
  overlap: Act,
  more: Pick<Parameters<typeof script>[2], 'plan'> = {},
): Script {
  const { random, phrases } = stage;
  return script(stage, scriptClass, {
    sort,
    acts: [
      turn(stage, random.pick(phrases.turns)),
      overlap,
      turn(stage, random.pick(phrases.turns), {
        start: { after: 'reply', ms: Math.round(random.between(1800, 3000)) },
      }),
    ],
    plan: {
      replies: [
        { pieces: random.pick(phrases.longReplies) },
        { pieces: pieces(random.pick(phrases.replies)) },
      ],
      ...more.plan,
    },
    settings: { callType: random.fork('call').chance(0.5) ? 'web' : 'phone' },
  });
}

const within = ({ random }: Stage): Anchor => ({ into: 'reply', share: random.between(0.12, 0.8) });

/** "Mm-hm": the caller listens. */
export function backchannels(stage: Stage): Script {
  const { random, phrases, neverSeen } = stage;
  const said = random.pick(phrases.backchannels);
  const overlap: Act = { kind: 'backchannel', start: within(stage), parts: [part(stage, said)] };
  return overlapped(stage, 'backchannels', neverSeen ? 'never seen' : 'first hand', overlap);
}

/** Sound that is no speech, over the reply or while the model thinks. */
export function noises(stage: Stage): Script {
  const { random } = stage;
  const sort = random.pick(['cough', 'noise', 'hold music', 'noise while thinking'] as const);
  const noise = (start: Anchor, parts: Part[]): Act => ({ kind: 'noise', start, parts });
  switch (sort) {
    case 'cough': {
      const burst = () => sound(random.between(150, 380), random.between(80, 400));
      const parts = random.chance(0.5) ? [burst()] : [burst(), burst()];
      return overlapped(stage, 'noises', sort, noise(within(stage), parts));
    }
    case 'noise':
      return overlapped(
        stage,
        'noises',
        sort,
        noise(within(stage), [sound(random.between(60, 900))]),
      );
    case 'hold music': {
      const swell = () => sound(random.between(300, 1600), random.between(250, 900));
      const swells = [swell(), swell(), swell()];
      const music: Act = { kind: 'background', start: within(stage), parts: swells };
      return overlapped(stage, 'noises', sort, music);
    }
    case 'noise while thinking': {
      const start: Anchor = { after: 'act', ms: Math.round(random.between(350, 700)) };
      const parts = [sound(random.between(120, 700))];
      return overlapped(stage, 'noises', sort, noise(start, parts));
    }
  }
}

/** Somebody in the room, or the caller to somebody in the room: near, or from across it. */
export function sideTalk(stage: Stage): Script {
  const { random, phrases } = stage;
  const near = random.chance(0.5);
  // Assumed: a voice from across the room reaches the recogniser only now and then.
  const unwritten = !near && random.fork('written').chance(0.65);
  return overlapped(stage, 'side-talk', near ? 'near' : '15 dB below', {
    kind: 'side-talk',
    start: within(stage),
    parts: [part(stage, random.pick(phrases.sideTalk))],
    levelDb: near ? Math.round(random.between(-4, 0)) : -15,
    ...(unwritten && { hearing: { text: 'none' } }),
  });
}

/** The assistant's own words come back, with and without a voice that tells when it says which. */
export function echo(stage: Stage): Script {
  const { random } = stage;
  const wordTimes = random.chance(0.5);
  const overlap: Act = {
    kind: 'echo',
    start: within(stage),
    parts: [{ text: '(echo)', ms: Math.round(random.between(500, 2200)), pauseMs: 0 }],
    echoLagMs: Math.round(random.between(80, 300)),
    levelDb: Math.round(random.between(-20, -6)),
  };
  const sort = wordTimes ? 'word times' : 'no word times';
  return overlapped(stage, 'echo', sort, overlap, { plan: { wordTimes } });
}
