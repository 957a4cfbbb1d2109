import type { CallEvent } from '../../../../src/engine/machine/events.ts';
import type { CallSettings, CallTool } from '../../../../src/engine/settings/settings.ts';
import { callSettings } from '../../../support/call-settings.ts';
import type { Act, Anchor, Script } from '../script.ts';
import { pieces, type Stage, script, turn } from './stage.ts';

const SORTS = ['idle', 'say', 'keys', 'tools', 'transfer', 'no voice', 'hang-up'] as const;
type Sort = (typeof SORTS)[number];

/** What is not speech: silence, orders from outside, keys, tools, transfers, failures and the end. */
export function control(stage: Stage): Script {
  const sort = stage.random.pick(SORTS);
  return script(stage, 'control', { sort, ...makers[sort](stage) });
}

type Setting = Omit<Parameters<typeof script>[2], 'sort'>;

const act = (start: Anchor, events: readonly CallEvent[], gapMs = 250): Act => ({
  kind: 'control',
  start,
  parts: [],
  events: events.map((event, n) => ({ ms: n * gapMs, event })),
});

/** Where in a call something may come from outside. */
function anywhere({ random }: Stage): Anchor {
  return random.pick<Anchor>([
    { after: 'reply', ms: Math.round(random.between(100, 3000)) },
    { after: 'act', ms: Math.round(random.between(50, 900)) },
    { into: 'reply', share: random.between(0.1, 0.9) },
  ]);
}

const makers: Readonly<Record<Sort, (stage: Stage) => Setting>> = {
  idle: ({ random, phrases, ...stage }) => ({
    acts: random.chance(0.5)
      ? []
      : [turn({ random, phrases, ...stage }, random.pick(phrases.turns))],
    settings: { idle: { ...callSettings().idle, timeoutMs: 4000, maxMessages: random.int(1, 3) } },
    tailMs: 45_000,
  }),
  say: (stage) => ({
    acts: [
      turn(stage, stage.random.pick(stage.phrases.turns)),
      act(anywhere(stage), [
        { type: 'control.say', text: stage.random.pick(stage.phrases.replies) },
      ]),
    ],
  }),
  keys: (stage) => {
    const { random, phrases } = stage;
    const keys = Array.from({ length: random.int(1, 6) }, () => String(random.int(0, 9)));
    const pressed = random.chance(0.5) ? [...keys, '#'] : keys;
    return {
      acts: [
        turn(stage, random.pick(phrases.turns)),
        act(
          anywhere(stage),
          pressed.map((digit) => ({ type: 'dtmf', digit })),
        ),
      ],
      settings: { callType: 'phone', dtmfInput: true },
    };
  },
  tools: (stage) => {
    const { random, phrases } = stage;
    const ok = random.chance(0.7);
    const ms = Math.round(random.pick([random.between(200, 900), random.between(3000, 7000)]));
    const twice = random.chance(0.25);
    const calls = [{ id: 'a', name: 'look' }, ...(twice ? [{ id: 'b', name: 'look' }] : [])];
    const [fewer, all] = [pieces(random.pick(phrases.replies)), calls];
    return {
      acts: [turn(stage, random.pick(phrases.turns)), turn(stage, random.pick(phrases.turns))],
      plan: {
        replies: [{ calls: all, afterTools: fewer }, { pieces: fewer }],
        tools: { look: ok ? { ms, result: '{"found":true}' } : { ms } },
      },
      settings: { tools: [lookUp] },
    };
  },
  transfer: (stage) => {
    const { random, phrases } = stage;
    const operator = random.pick([
      'busy',
      'no-answer',
      'line-error',
      'declined',
      'voicemail',
      'timeout',
      'hung-up',
    ] as const);
    // Only who is told what it is about can decline it.
    const briefed = operator === 'declined' || operator === 'voicemail';
    const transfer: CallSettings['transfer'] = {
      ...callSettings().transfer,
      phoneNumber: '+4930123456',
      mode: briefed ? 'conversational' : random.pick(['blind', 'announced'] as const),
    };
    return {
      acts: [
        turn(stage, random.pick(phrases.turns)),
        act({ after: 'reply', ms: 600 }, [{ type: 'control.forward' }]),
      ],
      plan: { operator },
      settings: { callType: 'phone', transfer },
      tailMs: 20_000,
    };
  },
  'no voice': (stage) => ({
    acts: [
      turn(stage, stage.random.pick(stage.phrases.turns)),
      turn(stage, stage.random.pick(stage.phrases.turns)),
    ],
    plan: {
      replies: [
        { pieces: [`${stage.phrases.replies[0]} xyz`] },
        { pieces: [stage.phrases.replies[1] ?? ''] },
      ],
      voiceFailsOn: 'xyz',
    },
  }),
  'hang-up': (stage) => ({
    acts: [
      turn(stage, stage.random.pick(stage.phrases.turns), { unanswered: true }),
      act(anywhere(stage), [{ type: 'remote.hangup' }]),
    ],
  }),
};

const lookUp: CallTool = {
  definition: { name: 'look', description: 'Looks something up.', parameters: {} },
  async: false,
  readOnly: false,
  timeoutMs: 5000,
  lines: [],
};
