import type { CutInReaction, Divergence, ToolChange } from '../../contract/what-if.ts';
import { ENGINE_VERSION } from '../../engine/machine/call.ts';
import { canonicalJson } from '../../engine/machine/canonical-json.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import { isEngineEvent, ReplayError, readJournalHead } from '../../engine/machine/replay.ts';
import type { CallSettings } from '../../engine/settings/settings.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { CallerLine } from '../parts.ts';
import { type FollowedCommand, SimulatedWorld } from '../world.ts';
import { callerActs } from './caller-acts.ts';
import { handOver } from './hand-over.ts';
import { type RecordedAnswers, readAnswers } from './recorded-answers.ts';
import { planActs, RecordedCaller } from './recorded-caller.ts';
import { type AssistantSpan, assistantSpans, RecordedPlayout } from './recorded-playout.ts';
import { type AnswerSource, type AskModel, RecordedWorld } from './recorded-world.ts';

/** What is otherwise than it was. */
export interface Change {
  /** @defaultValue those of the call */
  readonly settings?: CallSettings;
  /** By the tool's name. */
  readonly tools?: Readonly<Record<string, ToolChange>>;
  /** @defaultValue speaks-on */
  readonly caller?: CutInReaction;
  /** Answers requests that the call did not make. @defaultValue what the model said at that place stands in */
  readonly askModel?: AskModel;
}

export interface ChangedCall {
  readonly callId: string;
  readonly recordedVersion: string;
  readonly replayedVersion: string;
  /** Nothing: the call would have been the same. */
  readonly divergence: Divergence | undefined;
  /** What would have happened, in the form of a journal. */
  readonly journal: readonly JournalLine[];
  /** Where the answers of the simulated part come from, by generation. */
  readonly sources: ReadonlyMap<number, AnswerSource>;
  readonly unknownTools: ReadonlySet<string>;
  /** When the assistant began to speak while the simulated caller had more to say. */
  readonly cutInsAt: ReadonlySet<number>;
  /** The call had not ended when the replay stopped. */
  readonly unfinished: boolean;
}

/** After the last that is known of the call it lives on for so long at most. */
const LONGEST_TAIL_MS = 600_000;

/** Plays a recorded call again with a change. Throws ReplayError; rejects with what `askModel` rejects with. */
export async function replayChanged(
  lines: readonly JournalLine[],
  change: Change,
  signal?: AbortSignal,
): Promise<ChangedCall> {
  const replay = new ChangedReplay(lines, change);
  if (replay.follow()) await replay.world.run(replay.until, signal);
  return replay.result();
}

/** The same where no model is asked. */
export function replayChangedNow(
  lines: readonly JournalLine[],
  change: Omit<Change, 'askModel'>,
): ChangedCall {
  const replay = new ChangedReplay(lines, change);
  if (replay.follow()) replay.world.runTo(replay.until);
  return replay.result();
}

class ChangedReplay {
  readonly world: SimulatedWorld;
  readonly until: number;
  readonly #lines: readonly JournalLine[];
  readonly #recorded: readonly JournalLine[];
  readonly #change: Change;
  readonly #head: ReturnType<typeof readJournalHead>;
  readonly #answers: RecordedAnswers;
  readonly #parts: RecordedWorld;
  readonly #caller: RecordedCaller;
  readonly #spans: readonly AssistantSpan[];
  readonly #answeredAt: number;
  readonly #playout = new RecordedPlayout();
  readonly #followed: FollowedCommand[] = [];
  #divergence: Divergence | undefined;

  constructor(lines: readonly JournalLine[], change: Change) {
    this.#lines = lines.toSorted((a, b) => a.seq - b.seq);
    this.#recorded = this.#lines.filter(({ kind }) => kind === 'command');
    this.#change = change;
    this.#head = readJournalHead(this.#lines);
    this.#answers = readAnswers(this.#lines);
    this.until = (this.#lines.at(-1)?.at ?? 0) + LONGEST_TAIL_MS;
    this.#spans = assistantSpans(this.#lines);
    this.#answeredAt = this.#lines.find(({ type }) => type === 'leg.answered')?.at ?? 0;
    const acts = planActs(callerActs(this.#lines), this.#spans, this.#answeredAt);
    this.#parts = new RecordedWorld({
      answers: this.#answers,
      toolChanges: change.tools ?? {},
      askModel: change.askModel,
      reached: () => acts[this.#caller.begun - 1]?.from ?? 0,
    });
    let line: CallerLine | undefined;
    const { callId, settings } = this.#head;
    const parts = this.#parts;
    this.world = new SimulatedWorld(
      { callId, settings: change.settings ?? settings },
      {
        model: (request, digest) => parts.model(request, digest),
        tool: (call) => parts.tool(call),
        voice: (text) => parts.voice(text),
        others: (command) => parts.others(command),
        caller: (given) => {
          line = given;
          return {
            hears: () => this.#isOn && this.#caller.hears(),
            hearsNothing: () => this.#isOn && this.#caller.hearsNothing(),
          };
        },
      },
    );
    const reaction = change.caller ?? 'speaks-on';
    this.#caller = new RecordedCaller({ acts, reaction, line: line as unknown as CallerLine });
  }

  get #isOn(): boolean {
    return this.#divergence !== undefined;
  }

  /** Plays the record until something differs; from there the world has to go on. False: nothing does. */
  follow(): boolean {
    let commands = 0;
    for (const [i, line] of this.#lines.entries()) {
      const differing = this.#timersUntil(line.at);
      if (differing) return this.#handOver(differing, i);
      if (line.kind === 'command') {
        // It came from a timer or from the event before, so the engine must have given it by now.
        const index = commands++;
        if (this.#followed.length > index) continue;
        return this.#handOver({ followed: [], what: line.type, atMs: line.at, index }, i);
      }
      if (line.kind !== 'event') continue;
      if (!isEngineEvent(line.type))
        throw new ReplayError(`line ${line.seq} is no event: ${line.type}`);
      if (this.#isChanged(line))
        return this.#handOver(
          { followed: [], what: 'tool', atMs: line.at, index: this.#followed.length },
          i,
        );
      this.#playout.take(line);
      const event = { ...line.data, type: line.type } as CallEvent;
      const found = this.#compare(this.world.follow(line.at, event));
      if (found) return this.#handOver(found, i + 1);
    }
    return false;
  }

  result(): ChangedCall {
    const { callId, recordedVersion } = this.#head;
    const { finished } = this.world;
    this.world.call.stop();
    return {
      callId,
      recordedVersion,
      replayedVersion: ENGINE_VERSION,
      divergence: this.#divergence,
      journal: this.world.journal,
      sources: this.#parts.sources,
      unknownTools: this.#parts.unknownTools,
      cutInsAt: this.#caller.cutInsAt,
      unfinished: this.#isOn && !finished,
    };
  }

  /** Timers fire one by one, so that a difference is found before anything else happens. */
  #timersUntil(at: number): Differing | undefined {
    const { call } = this.world;
    for (let due = call.nextDueAt(); due !== undefined && due <= at; due = call.nextDueAt()) {
      const found = this.#compare(this.world.follow(due));
      if (found) return found;
    }
    return undefined;
  }

  #compare(followed: readonly FollowedCommand[]): Differing | undefined {
    for (const [i, { command, line }] of followed.entries()) {
      const index = this.#followed.length;
      const recorded = this.#recorded[index];
      if (!recorded || canonical(recorded) !== canonical(line))
        return { followed: followed.slice(i), what: line.type, atMs: line.at, index };
      this.#followed.push({ command, line });
      this.#playout.take(line);
      this.#parts.skip(command);
    }
    return undefined;
  }

  #isChanged({ type, data }: JournalLine): boolean {
    if (type !== 'tool.result' && type !== 'tool.error') return false;
    const tool = this.#answers.tools.get(String(data.toolCallId));
    return tool !== undefined && this.#change.tools?.[tool.name] !== undefined;
  }

  /** From here on the world answers: first what is under way, then what the differing commands ask for. */
  #handOver({ followed, what, atMs, index }: Differing, next: number): true {
    this.#divergence = { atMs, what, index };
    const { world } = this;
    if (world.now < atMs) world.take(world.follow(atMs));
    handOver(world, {
      atMs,
      followed: this.#followed,
      rest: this.#lines.slice(next).filter(({ kind }) => kind === 'event'),
      playout: this.#playout,
      answers: this.#answers,
      toolChanges: this.#change.tools ?? {},
    });
    this.#caller.goOn({
      at: atMs,
      seq: this.#lines[next]?.seq ?? Number.POSITIVE_INFINITY,
      spans: this.#spans,
      answeredAt: this.#answeredAt,
    });
    world.take(followed);
    return true;
  }
}

interface Differing {
  /** The commands from the first that differs on; nothing answers them yet. */
  readonly followed: readonly FollowedCommand[];
  readonly what: string;
  readonly atMs: number;
  readonly index: number;
}

const canonical = ({ at, type, data }: JournalLine) => canonicalJson([at, type, data]);
