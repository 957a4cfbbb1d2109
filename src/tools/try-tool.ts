import { randomUUID } from 'node:crypto';
import type { ToolConfig, ToolTrial } from '../contract/tool.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { SchemaChecker } from '../lib/schema-checker.ts';
import type { Clock } from '../ports/clock.ts';
import type { ToolOutcome } from '../ports/tool.ts';
import { createFunctionTool } from './function-tool/function-tool.ts';

/** How to reach the servers of tools. */
export interface ToolServers {
  readonly clock: Clock;
  readonly fetch: OutboundFetch;
  readonly maxResponseBytes: number;
  readonly schemas: SchemaChecker;
}

interface Trial {
  readonly id: string;
  readonly teamId: string;
  readonly config: ToolConfig;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Longest part of an answer that is shown. */
const MAX_BODY_CHARS = 20_000;

/** Returns the problem with the arguments, in words, before any server is asked; undefined when they are valid. */
export function checkTrial(servers: ToolServers, trial: Trial): Promise<string | undefined> {
  return toolOf(servers, trial).check(trial.arguments, trial.signal);
}

/** Calls a tool's server as a call would, without a call; returns the answer and its duration. Never rejects. */
export async function tryTool(servers: ToolServers, trial: Trial): Promise<ToolTrial> {
  const { timeoutSeconds } = trial.config.server;
  const seen: { status?: number; chunks: Uint8Array[] } = { chunks: [] };
  const fetch: OutboundFetch = async (url, request) => {
    const response = await servers.fetch(url, request);
    seen.status = response.status;
    const body = recordChunks(response.body, seen.chunks);
    return { ...response, body, cancel: () => response.cancel() };
  };
  const late = AbortSignal.timeout(timeoutSeconds * 1000);
  const { clock } = servers;
  const startedAt = clock.now();
  const outcome = await toolOf({ ...servers, fetch }, trial).run({
    callId: callIdOf(trial),
    toolCallId: randomUUID(),
    name: trial.config.function.name,
    arguments: trial.arguments,
    signal: AbortSignal.any([trial.signal, late]),
  });
  const body = Buffer.concat(seen.chunks).toString('utf8').slice(0, MAX_BODY_CHARS);
  return {
    ...shownOutcome(
      outcome,
      late.aborted && seen.status === undefined ? timeoutSeconds : undefined,
    ),
    ...(seen.status === undefined ? {} : { status: seen.status, body }),
    durationMs: Math.round(clock.now() - startedAt),
  };
}

function toolOf(servers: ToolServers, trial: Omit<Trial, 'signal'>) {
  const { id, teamId, config } = trial;
  return createFunctionTool(
    { id, config },
    {
      ...servers,
      team: teamId,
      call: { id: callIdOf(trial), teamId, test: true },
      assistant: { name: 'Test' },
    },
  );
}

const callIdOf = ({ id }: Pick<Trial, 'id'>) => `test-${id}`;

function shownOutcome(outcome: ToolOutcome, lateAfterSeconds: number | undefined) {
  if (lateAfterSeconds === undefined) {
    if (outcome.ok) return outcome;
    // Outbound error codes are meant for webhooks.
    const { error, message } = outcome;
    return { ok: false, error, ...(message === undefined ? {} : { message }) };
  }
  const error = `the tool's server did not answer within ${lateAfterSeconds} s`;
  return { ok: false, error };
}

async function* recordChunks(
  body: AsyncIterable<Uint8Array>,
  chunks: Uint8Array[],
): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    chunks.push(chunk);
    yield chunk;
  }
}
