import type { AssistantTest, Fixture } from '../contract/assistant-test.ts';
import type { ToolInvocation, ToolOutcome } from '../ports/tool.ts';
import { fits } from './words.ts';

export interface ToolUse {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  readonly turn: number;
  readonly atMs: number;
}

/** The answer of a tool, `afterMs` the call. */
export interface TimedOutcome {
  readonly outcome: ToolOutcome;
  readonly afterMs: number;
}

/** Tools that only read: they need no fixture. */
const ASKED_FOR_REAL = ['knowledgeBase'];

interface Options {
  readonly tools: AssistantTest['tools'];
  /** Runs the assistant's own tool. */
  readonly run: (invocation: ToolInvocation) => Promise<ToolOutcome>;
  /** Wall clock, ms: how long a real tool took. */
  readonly stopwatch: () => number;
  /** The test does not say what this tool answers. */
  readonly onUnanswered: (problem: string) => void;
}

/** Answers tools as the test says. A tool that the test does not name is not run: it might have an effect. */
export function testTools({ tools, run, stopwatch, onUnanswered }: Options) {
  return async (invocation: ToolInvocation): Promise<TimedOutcome> => {
    const { name, arguments: args } = invocation;
    const fixtures = Object.hasOwn(tools, name) ? tools[name] : undefined;
    const isReal = fixtures === 'server' || (!fixtures && ASKED_FOR_REAL.includes(name));
    if (isReal) {
      const began = stopwatch();
      const outcome = await run(invocation);
      const isLocal = fixtures !== 'server';
      return { outcome, afterMs: isLocal ? LOCAL_MS : Math.round(stopwatch() - began) };
    }
    const fixture = (fixtures ?? []).find(({ when = {} }) => fits(args, when));
    if (fixture) return { outcome: outcomeOf(fixture), afterMs: fixture.afterMs };
    onUnanswered(
      fixtures
        ? `no answer of ${name} fits the arguments ${JSON.stringify(args)}`
        : `the tool ${name} was called, and the test does not say what it answers`,
    );
    return { outcome: { ok: false, error: 'the tool is not available' }, afterMs: 0 };
  };
}

/** A stated time for what this machine looks up, so that a test takes the same time everywhere. */
const LOCAL_MS = 50;

function outcomeOf({ result, error, message }: Fixture): ToolOutcome {
  const spoken = message === undefined ? {} : { message };
  if (error !== undefined) return { ok: false, error, ...spoken };
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  return { ok: true, result: text, ...spoken };
}
