import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { AssistantTest } from '../../contract/assistant-test.ts';
import { transferMode } from '../../engine/settings/resolve-settings.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { createOfflineTts } from '../../providers/offline/tts/adapter.ts';
import { parseTests } from '../../testing/parse-tests.ts';
import { Booth } from '../../testing/spoken/booth.ts';
import { CallerVoice } from '../../testing/spoken/caller-voice.ts';
import type { LineCondition } from '../../testing/spoken/manners.ts';
import { PutThrough } from '../../testing/spoken/put-through.ts';
import {
  type AssistantFields,
  assistantOf,
  operatorOf,
  vendorFault,
} from '../../testing/spoken/spoken-assistant.ts';
import { holdSpokenCall } from '../../testing/spoken/spoken-call.ts';
import { conditionsNamed } from '../../testing/spoken/spoken-jobs.ts';
import { figuresOf, resultOf } from '../../testing/spoken/spoken-result.ts';
import { turnsOf } from '../../testing/spoken/spoken-turns.ts';
import { brokenTest } from '../../testing/test-result.ts';
import { resolveAssistant } from '../assistant-for-call.ts';
import type { TestOptions } from '../assistant-test/options.ts';
import type { TestFileText } from '../assistant-test/run-files.ts';
import { CliError } from '../cli-error.ts';
import { HANDSET_HZ } from '../handset-socket.ts';
import type { ServiceClient } from '../service-client.ts';
import { CallJudge, judgedIn } from './call-judge.ts';
import { startOperator } from './operator-handset.ts';
import { type ScriptedCall, ScriptServer } from './script-server.ts';
import { operatorNumber, telephoneLine, webLine } from './spoken-lines.ts';
import type { SpokenOutcome } from './spoken-report.ts';

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
  const voice = createOfflineTts({ clock: systemClock });
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
    const tests = jobs.map(({ test }) => test);
    const judge = new CallJudge(client, options, { judged: judgedIn(tests), say });
    const booth = new Booth(new CallerVoice(voice), options.seed);
    const atOnce = mostAtOnce(options, config);
    say(`${jobs.length} calls, ${atOnce} at once …`);
    const queue = new PQueue({
      concurrency: atOnce,
      // Nobody's callers all dial in the same instant.
      interval: BETWEEN_MS,
      intervalCap: 1,
    });
    const one = (job: Job) =>
      speak(job, { client, scripts, booth, judge, config, via: options.via, signal });
    const outcomes = await Promise.all(jobs.map((job) => queue.add(() => one(job), { signal })));
    if (judge.costLine !== undefined) say(judge.costLine);
    return outcomes;
  } finally {
    await voice.close();
    await assistant.dispose();
  }
}

/** Telephones that a team can have at the built-in carrier at once. */
const MAX_TELEPHONES = 16;

/** An operator needs a telephone, and so does who telephones. */
function mostAtOnce({ atOnce, via }: TestOptions, config: AssistantFields): number {
  if (operatorOf(config) === undefined) return atOnce;
  return Math.min(atOnce, via === 'emulator' ? MAX_TELEPHONES / 2 : MAX_TELEPHONES);
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
  { spoken = [], calls, via }: Pick<TestOptions, 'spoken' | 'calls' | 'via'>,
): readonly Job[] {
  const wanted = conditionsNamed(spoken);
  // The line of a telephone is the carrier's.
  const conditions =
    via === 'emulator'
      ? wanted.map((condition) => ({ ...condition, sampleRateHz: HANDSET_HZ }))
      : wanted;
  const all = conditions.flatMap((condition) =>
    files.flatMap(({ file, source }) => {
      const parsed = parseTests(source);
      return parsed.ok ? parsed.tests.map((test) => ({ file, test, condition })) : [];
    }),
  );
  if (calls === undefined) return all;
  return Array.from({ length: calls }, (_, n) => all[n % all.length] as Job);
}

interface Stage {
  readonly client: ServiceClient;
  readonly scripts: ScriptServer;
  readonly booth: Booth;
  readonly judge: CallJudge;
  readonly config: AssistantFields;
  readonly via: TestOptions['via'];
  readonly signal: AbortSignal;
}

async function speak({ file, test, condition }: Job, stage: Stage): Promise<SpokenOutcome> {
  const { client, scripts, booth, judge, config, via, signal } = stage;
  const outcome = { condition: condition.name, file };
  const isPhone = via === 'emulator';
  if (isPhone && Object.keys(test.variables).length > 0) {
    const reason = 'a telephone call is given no variables: write the values into the texts';
    return { ...outcome, result: brokenTest(test.name, reason) };
  }
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
    const number = operatorOf(config);
    const operator = number === undefined ? undefined : { number, alias: operatorNumber() };
    const assistant = assistantOf(config, test, { modelUrl, lines, operator: operator?.alias });
    const { maxSeconds } = test;
    const putThrough = operator ? new PutThrough() : undefined;
    await using line = isPhone
      ? await telephoneLine(client, assistant, signal)
      : await webLine(client, assistant, {
          metadata: { spokenTest: key, ...test.variables },
          sampleRateHz: condition.sampleRateHz,
          dials: operator !== undefined,
          signal,
        });
    if (line.userNumber !== undefined) scripts.nameCaller(line.userNumber, key);
    await using _operator =
      operator && putThrough
        ? await startOperator({
            ...{ client, test, booth, putThrough, signal },
            number: operator.alias,
            mode: transferMode(modeFields(config)),
          })
        : undefined;
    const { connect } = line;
    const spoken = await holdSpokenCall({
      ...{ clock: systemClock, connect, condition, room, plan, sounds, maxSeconds, signal },
      putThrough,
    });
    const record = await finished(client, spoken.callId, signal);
    const events = await client.getEvents(spoken.callId);
    const ended = { spoken, record, events, scripts: { ...scripted, operator, ranOwnTools: true } };
    return {
      ...outcome,
      result: await resultOf(test, ended, judge.of(spoken.callId)),
      figures: figuresOf(ended),
    };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { ...outcome, result: brokenTest(test.name, reason) };
  }
}

const modeFields = ({ warmTransferEnabled, warmTransferConversational }: AssistantFields) => ({
  warmTransferEnabled: warmTransferEnabled === true,
  warmTransferConversational: warmTransferConversational === true,
});

async function finished(client: ServiceClient, callId: string, signal: AbortSignal) {
  const deadline = AbortSignal.timeout(RECORD_MS);
  for (;;) {
    const call = await client.getCall(callId);
    // One that an operator took has ended as `forwarded`.
    if (call.endAt) return call;
    if (deadline.aborted) throw new Error('the record of the call was not finished in time');
    await delay(POLL_MS, undefined, { signal });
  }
}
