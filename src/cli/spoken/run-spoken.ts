import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { AssistantTest } from '../../contract/assistant-test.ts';
import { parseTests } from '../../testing/parse-tests.ts';
import { brokenTest } from '../../testing/run-test.ts';
import { resolveAssistant } from '../assistant-for-call.ts';
import type { TestOptions } from '../assistant-test/options.ts';
import type { TestFileText } from '../assistant-test/run-files.ts';
import { CliError } from '../cli-error.ts';
import type { ServiceClient } from '../service-client.ts';
import { CALLER_DB, roomOf } from './caller-room.ts';
import { atLevel, CallerVoice } from './caller-voice.ts';
import { LINE_CONDITIONS, type LineCondition } from './manners.ts';
import type { Room } from './rooms.ts';
import { type ScriptedCall, ScriptServer } from './script-server.ts';
import { type AssistantFields, assistantOf, vendorFault } from './spoken-assistant.ts';
import { holdSpokenCall } from './spoken-call.ts';
import type { SpokenOutcome } from './spoken-report.ts';
import { figuresOf, resultOf } from './spoken-result.ts';
import { turnsOf } from './spoken-turns.ts';

interface Context {
  readonly files: readonly TestFileText[];
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

interface Job {
  readonly file: string;
  readonly test: AssistantTest;
  readonly condition: LineCondition;
}

const RECORD_MS = 15_000;
const POLL_MS = 200;
const BETWEEN_MS = 250;

/** Speaks the tests through real calls; resolves with an outcome for each, in the order of conditions, files and tests. */
export async function runSpoken(
  client: ServiceClient,
  options: TestOptions,
  { files, say, signal }: Context,
): Promise<readonly SpokenOutcome[]> {
  await using scripts = await ScriptServer.start();
  await using voice = new CallerVoice();
  const assistant = await resolveAssistant(client, options.assistant, {
    toolServer: scripts.toolUrl,
  });
  try {
    const { config } = assistant;
    if (!config)
      throw new CliError(
        '--spoken needs the assistant as a file: its tools and model are played',
        2,
      );
    const jobs = jobsOf(files, options);
    refuseVendors(config, jobs);
    const booth = new Booth(voice, options.seed);
    say(`${jobs.length} calls, ${options.atOnce} at once …`);
    const queue = new PQueue({
      concurrency: options.atOnce,
      // Nobody's callers all dial in the same instant.
      interval: BETWEEN_MS,
      intervalCap: 1,
    });
    const one = (job: Job) => speak(job, { client, scripts, booth, config, signal });
    return await Promise.all(jobs.map((job) => queue.add(() => one(job), { signal })));
  } finally {
    await assistant.dispose();
  }
}

function refuseVendors(config: AssistantFields, jobs: readonly Job[]): void {
  const fault = vendorFault(
    config,
    jobs.map(({ test }) => test),
  );
  if (fault !== undefined) throw new CliError(fault, 2);
}

/** Each test in each condition; as many calls as are wanted, from the start again where these are more. */
function jobsOf(
  files: readonly TestFileText[],
  { spoken = [], calls }: Pick<TestOptions, 'spoken' | 'calls'>,
): readonly Job[] {
  const conditions =
    spoken.length === 0
      ? LINE_CONDITIONS
      : LINE_CONDITIONS.filter(({ name }) => spoken.includes(name));
  const all = conditions.flatMap((condition) =>
    files.flatMap(({ file, source }) => {
      const parsed = parseTests(source);
      return parsed.ok ? parsed.tests.map((test) => ({ file, test, condition })) : [];
    }),
  );
  if (calls === undefined) return all;
  return Array.from({ length: calls }, (_, n) => all[n % all.length] as Job);
}

/** Makes the sounds of callers and rooms, each once. */
class Booth {
  readonly #voice: CallerVoice;
  readonly #seed: number;
  readonly #lines = new Map<string, Promise<Int16Array>>();
  readonly #loops = new Map<string, Promise<Room | undefined>>();

  constructor(voice: CallerVoice, seed: number) {
    this.#voice = voice;
    this.#seed = seed;
  }

  line(text: string, { name, manner, sampleRateHz }: LineCondition): Promise<Int16Array> {
    const key = `${name}\n${text}`;
    const made =
      this.#lines.get(key) ??
      this.#voice
        .speak(text, sampleRateHz, manner)
        .then(({ pcm }) => (pcm.length === 0 ? pcm : atLevel(pcm, CALLER_DB)));
    this.#lines.set(key, made);
    return made;
  }

  room(condition: LineCondition): Promise<Room | undefined> {
    // What is lost of a line depends on what was lost before: each call has a line of its own.
    if (condition.loss !== undefined) return roomOf(condition, this.#voice, this.#seed);
    const { name } = condition;
    const made = this.#loops.get(name) ?? roomOf(condition, this.#voice, this.#seed);
    this.#loops.set(name, made);
    return made;
  }
}

interface Stage {
  readonly client: ServiceClient;
  readonly scripts: ScriptServer;
  readonly booth: Booth;
  readonly config: AssistantFields;
  readonly signal: AbortSignal;
}

async function speak({ file, test, condition }: Job, stage: Stage): Promise<SpokenOutcome> {
  const { client, scripts, booth, config, signal } = stage;
  const outcome = { condition: condition.name, file };
  const plan = turnsOf(test, condition);
  if (!plan) {
    const reason = 'nobody plays the caller of a spoken test: write persona.script';
    return { ...outcome, result: brokenTest(test.name, reason) };
  }
  try {
    const lines = plan.flatMap(({ turn }) => turn.say ?? turn.backchannel ?? []);
    const sounds = new Map<string, Int16Array>();
    for (const line of lines) sounds.set(line, await booth.line(line, condition));
    const room = await booth.room(condition);
    const key = randomUUID();
    const scripted: ScriptedCall = { test, problems: [], notes: new Set() };
    const { modelUrl } = scripts.add(key, scripted);
    const { webCall } = await client.connectInline(assistantOf(config, test, { modelUrl, lines }), {
      spokenTest: key,
      ...test.variables,
    });
    if (!webCall) throw new Error('the service made a call without a media socket');
    const { maxSeconds } = test;
    const spoken = await holdSpokenCall({
      url: webCall.url,
      ...{ condition, room, plan, sounds, maxSeconds, signal },
    });
    const record = await finished(client, spoken.callId, signal);
    const events = await client.getEvents(spoken.callId);
    const ended = { spoken, record, events, scripts: scripted };
    return { ...outcome, result: await resultOf(test, ended), figures: figuresOf(ended) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { ...outcome, result: brokenTest(test.name, reason) };
  }
}

async function finished(client: ServiceClient, callId: string, signal: AbortSignal) {
  const deadline = AbortSignal.timeout(RECORD_MS);
  for (;;) {
    const call = await client.getCall(callId);
    if (call.status === 'finished') return call;
    if (deadline.aborted) throw new Error('the record of the call was not finished in time');
    await delay(POLL_MS, undefined, { signal });
  }
}
