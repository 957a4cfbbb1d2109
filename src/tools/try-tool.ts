import { randomUUID } from 'node:crypto';
import type { ToolConfig, ToolTrial } from '../contract/tool.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { ToolOutcome } from '../ports/tool.ts';
import { createFunctionTool } from './function-tool/function-tool.ts';
import type { HostedTool } from './hosted-tool.ts';
import { hostMcpTools, listServerTools, type McpToolsDeps, nameTools } from './mcp/mcp-tools.ts';

/** How to reach the servers of tools. */
export type ToolServers = Omit<McpToolsDeps, 'team'>;

interface Trial {
  readonly id: string;
  readonly teamId: string;
  readonly config: ToolConfig;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Of a server of the Model Context Protocol: the tool to call. */
  readonly tool?: string | undefined;
  readonly signal: AbortSignal;
}

/** Longest part of an answer that is shown. */
const MAX_BODY_CHARS = 20_000;

/** Returns the problem with the arguments, in words, before any server is asked; undefined when they are valid. */
export async function checkTrial(servers: ToolServers, trial: Trial): Promise<string | undefined> {
  // What a server lists is known only when it is asked.
  if (trial.config.type === 'mcp') return undefined;
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
  if (trial.config.type === 'mcp') {
    const trialOf = await tryServer({ ...servers, fetch }, trial);
    return { ...trialOf, durationMs: Math.round(clock.now() - startedAt) };
  }
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

/**
 * Lists the tools of a server, also those that are not offered, so that one can choose; or calls the one that is named,
 * with valid arguments alone.
 */
async function tryServer(
  servers: ToolServers,
  {
    id,
    teamId: team,
    config: { mcpTools: _chosen, ...config },
    tool: name,
    arguments: args,
    signal,
  }: Trial,
): Promise<Omit<ToolTrial, 'durationMs'>> {
  const deps = { ...servers, team };
  const answer = await listServerTools({ id, config }, deps, signal);
  if (!answer.ok) return { ok: false, error: answer.fault.message };
  const { tools } = answer;
  if (name === undefined)
    return { ok: true, tools: tools.map(({ idempotent: _, ...shown }) => shown) };
  const named = nameTools({ id, config }, tools, new Set());
  const found = hostMcpTools({ config }, named, deps).find(
    ({ tool }) => tool.offered?.name === name,
  );
  if (!found) return { ok: false, error: `the server offers no tool named ${name}` };
  return shownOutcome(await checkedRun(found, { id, args, signal }), undefined);
}

async function checkedRun(
  { tool, check, run }: HostedTool,
  {
    id,
    args,
    signal,
  }: { readonly id: string; readonly args: Trial['arguments']; readonly signal: AbortSignal },
): Promise<ToolOutcome> {
  const problem = await check(args, signal);
  if (problem !== undefined) return { ok: false, error: problem };
  return run({
    callId: callIdOf({ id }),
    toolCallId: randomUUID(),
    name: tool.definition.name,
    arguments: args,
    signal: AbortSignal.any([signal, AbortSignal.timeout(tool.timeoutMs)]),
  });
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
