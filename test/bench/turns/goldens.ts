import { readdirSync, readFileSync } from 'node:fs';
import { callSettings } from '../../support/call-settings.ts';
import type { Act, Anchor, Expectation, Hearing, Part, Plan, Script } from './script.ts';

const FOLDER = new URL('../../../fixtures/conversations/', import.meta.url);

/** A hand-written conversation: what differs from an ordinary call. */
interface Golden {
  readonly id: string;
  readonly rules: readonly string[];
  readonly welcome?: string;
  readonly hearing?: Hearing;
  /** Groups of settings are laid over the usual ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The assistant has a tool, `look`. */
  readonly tool?: boolean;
  readonly replies?: readonly string[];
  readonly plan?: Partial<Plan>;
  readonly acts: readonly GoldenAct[];
  readonly tailMs?: number;
  readonly expect: Expectation;
}

interface GoldenAct extends Partial<Omit<Act, 'parts' | 'start'>> {
  readonly start?: Anchor;
  /** Silences stand in brackets, in ms. */
  readonly say?: string;
  /** Length of a sound that is no speech. */
  readonly ms?: number;
}

export function readGoldens(): Script[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Golden[])
    .map(toScript);
}

function toScript(golden: Golden): Script {
  const { id, rules, expect, hearing = {}, plan, replies = [] } = golden;
  const base = callSettings({
    welcome: {
      message: golden.welcome ?? 'Hello there.',
      mode: 'assistant-speaks-first',
      interruptible: true,
    },
    idle: { timeoutMs: 60_000, maxMessages: 3, messages: ['Still there?'] },
  });
  return {
    id,
    class: 'goldens',
    sort: rules.join(' '),
    language: 'en-US',
    seed: `golden ${id}`,
    recogniser: 'nova-3',
    hearing: { rewritten: 0, ...hearing },
    callerDb: -24,
    neverSeen: false,
    settings: {
      ...Object.fromEntries(
        Object.entries(golden.settings ?? {}).map(([name, value]) => [
          name,
          value !== null && typeof value === 'object'
            ? { ...(base[name as keyof typeof base] as object), ...value }
            : value,
        ]),
      ),
      welcome: { ...base.welcome, ...(golden.settings?.welcome as object | undefined) },
      ...(golden.settings?.idle ? {} : { idle: base.idle }),
      ...(golden.tool ? { tools: [look] } : {}),
    },
    plan: {
      replies: replies.map((text) => ({
        pieces: text.match(/[^.!?]+[.!?]*/g)?.map((t) => t.trim()) ?? [],
      })),
      msPerWord: 300,
      wordTimes: true,
      ...plan,
    },
    acts: golden.acts.map(toAct),
    tailMs: golden.tailMs ?? 8000,
    rules,
    expect,
  };
}

const look = {
  definition: { name: 'look', description: 'Looks something up.', parameters: {} },
  async: false,
  readOnly: false,
  timeoutMs: 4000,
  lines: [],
};

function toAct({ kind = 'turn', start, say, ms, ...rest }: GoldenAct): Act {
  return {
    ...rest,
    kind,
    start: start ?? { after: 'reply', ms: 600 },
    parts:
      say === undefined ? (ms === undefined ? [] : [{ text: '', ms, pauseMs: 0 }]) : partsOf(say),
    whenCutIn: 'insist',
  };
}

function partsOf(say: string): Part[] {
  const bits = say.split(/\((\d+)\)/);
  return bits.flatMap((bit, i) => {
    const text = bit.trim();
    if (i % 2 === 1 || text === '') return [];
    const ms = text
      .split(/\s+/)
      .reduce((sum, word) => sum + Math.max(300, (word.match(/\d/g)?.length ?? 0) * 260), 0);
    return [{ text, ms, pauseMs: Number(bits[i + 1] ?? 0) }];
  });
}
