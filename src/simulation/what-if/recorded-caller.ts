import type { CutInReaction } from '../../contract/what-if.ts';
import type { CallerLine, SimulatedCaller } from '../parts.ts';
import { type CallerAct, shifted } from './caller-acts.ts';
import { type AssistantSpan, PAUSE_MS } from './recorded-playout.ts';

/** Nobody reacts to what they hear within this time. */
const REACTION_MS = 250;
/** Who speaks so soon after the assistant began did not answer it, but went on with what they were saying. */
const ANSWER_MS = 600;
/** Who let the assistant finish speaks after this much silence. */
const AFTER_OTHERS_MS = 500;
/** Who hears nothing at all goes on after this. */
const PATIENCE_MS = 12_000;

/** When an act began in truth. */
type Anchor =
  | { readonly after: 'answer' | 'act'; readonly ms: number }
  /** `spans`: how often the assistant had begun to speak since the act before; `gapMs`: its longest silence meanwhile. */
  | { readonly after: 'reply'; readonly ms: number; readonly spans: number; readonly gapMs: number }
  | { readonly into: 'reply'; readonly ms: number; readonly spans: number; readonly gapMs: number };

export interface PlannedAct extends CallerAct {
  readonly anchor: Anchor;
}

/** How each act was placed in the recorded call. */
export function planActs(
  acts: readonly CallerAct[],
  spans: readonly AssistantSpan[],
  answeredAt: number,
): readonly PlannedAct[] {
  return acts.map((act, i) => ({ ...act, anchor: anchorOf(act, acts[i - 1], spans, answeredAt) }));
}

function anchorOf(
  act: CallerAct,
  before: CallerAct | undefined,
  spans: readonly AssistantSpan[],
  answeredAt: number,
): Anchor {
  const since = before?.to ?? answeredAt;
  const heard = spans.filter(({ from, to }) => to > since && from < act.from - ANSWER_MS);
  const last = heard.at(-1);
  const gaps = heard.slice(1).map(({ from }, i) => from - (heard[i]?.to ?? from));
  const shape = {
    spans: heard.filter(({ from }) => from >= since).length,
    gapMs: Math.max(0, ...gaps),
  };
  if (last && last.to > act.from) return { into: 'reply', ms: act.from - last.from, ...shape };
  if (last) return { after: 'reply', ms: act.from - last.to, ...shape };
  return { after: before ? 'act' : 'answer', ms: act.from - since };
}

export interface HandOver {
  readonly at: number;
  /** Of the first line that was not played. */
  readonly seq: number;
  /** Of the recorded call, until its end. */
  readonly spans: readonly AssistantSpan[];
  readonly answeredAt: number;
}

interface Deps {
  readonly acts: readonly PlannedAct[];
  readonly reaction: CutInReaction;
  readonly line: CallerLine;
}

/** The caller of a recorded call: the words are theirs, and each act begins where its anchor says. */
export class RecordedCaller implements SimulatedCaller {
  readonly #deps: Deps;
  #next = 0;
  /** End of the act before. */
  #since = 0;
  /** How often the assistant has begun to speak since then, and when it began last. */
  #spans = 0;
  #spanFrom: number | undefined;
  #silentAt = Number.NEGATIVE_INFINITY;
  #waits = false;
  #speaking = false;
  /** First act of the turn that is under way. */
  #turnFrom = 0;
  /** The turn that was said again. */
  #repeated: number | undefined;
  #told = 0;
  /** Plans made before something else happened are void. */
  #plan = 0;
  /** When answers began while the caller had more to say, and heard them before saying it. */
  readonly cutInsAt = new Set<number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Acts that have begun. */
  get begun(): number {
    return this.#next;
  }

  /** The call was played by its record until `at`, before the line `seq`. */
  goOn({ at, seq, spans, answeredAt }: HandOver): void {
    const { acts, line } = this.#deps;
    const next = acts.findIndex(
      ({ from, events }) => from >= at && !events.some((event) => event.seq < seq),
    );
    this.#next = next < 0 ? acts.length : next;
    const before = acts[this.#next - 1];
    this.#since = before?.to ?? answeredAt;
    const begun = spans.filter(({ from }) => from < at);
    this.#spans = begun.filter(({ from }) => from >= this.#since).length;
    const last = begun.at(-1);
    if (last && last.to > this.#since) this.#spanFrom = last.from;
    this.#silentAt = last && !line.soundsAt(at) ? Math.min(at, last.to) : Number.NEGATIVE_INFINITY;
    this.#turnFrom = this.#turnBefore(this.#next);
    for (const { events } of acts.slice(0, this.#next))
      for (const { at: when, event, seq: place } of events)
        if (place >= seq) line.later(when, () => line.emit(event));
    this.#speaking = before !== undefined && before.to > at;
    if (this.#speaking) line.later(this.#since, () => this.#over());
    else this.#await();
  }

  hears(): void {
    const { line } = this.#deps;
    const now = line.now();
    if (this.#spanFrom === undefined || now - this.#silentAt >= PAUSE_MS) {
      this.#spanFrom = now;
      if (!this.#speaking) this.#spans++;
    }
    if (!this.#speaking) this.#await();
  }

  hearsNothing(): void {
    this.#silentAt = this.#deps.line.now();
    if (!this.#speaking) this.#await();
  }

  #await(): void {
    const act = this.#deps.acts[this.#next];
    if (!act) return;
    const at = this.#dueAt(act.anchor);
    const plan = ++this.#plan;
    if (at === undefined) return;
    this.#deps.line.later(Math.max(at, this.#deps.line.now()), () => {
      if (plan === this.#plan) this.#begin();
    });
  }

  /** Undefined: not before the assistant does something else. */
  #dueAt(anchor: Anchor): number | undefined {
    const { line } = this.#deps;
    const quiet = line.quietSince();
    if (this.#waits)
      return quiet === undefined ? undefined : Math.max(quiet, this.#since) + AFTER_OTHERS_MS;
    if ('after' in anchor && anchor.after !== 'reply') {
      const at = this.#since + anchor.ms;
      const spoken = this.#spanFrom !== undefined && this.#spanFrom >= this.#since;
      const inTime = spoken && (this.#spanFrom as number) + REACTION_MS < at;
      if (anchor.after === 'answer' || !inTime) return at;
      this.cutInsAt.add(this.#spanFrom as number);
      if (!this.#yields) return at;
      this.#holdBack();
      return this.#dueAt(anchor);
    }
    if (quiet === undefined) {
      const due = this.#spans >= anchor.spans && this.#spanFrom !== undefined;
      return 'into' in anchor && due ? (this.#spanFrom as number) + anchor.ms : undefined;
    }
    if (this.#spanFrom === undefined)
      return this.#since + (anchor.spans === 0 ? 0 : PATIENCE_MS) + anchor.ms;
    const since = Math.max(quiet, this.#since);
    if (this.#spans < anchor.spans) return since + Math.max(anchor.gapMs, PAUSE_MS) + anchor.ms;
    return 'into' in anchor ? since + REACTION_MS : since + anchor.ms;
  }

  /** Nobody says a turn a third time: whoever is cut in on again speaks on. */
  get #yields(): boolean {
    const { reaction } = this.#deps;
    return reaction === 'waits' || (reaction === 'repeats' && this.#repeated !== this.#turnFrom);
  }

  #holdBack(): void {
    this.#waits = true;
    if (this.#deps.reaction !== 'repeats') return;
    this.#repeated = this.#turnFrom;
    this.#next = this.#turnFrom;
  }

  /** The first act of the turn that the act before `next` belongs to. */
  #turnBefore(next: number): number {
    let first = Math.max(0, next - 1);
    while (first > 0 && isContinued(this.#deps.acts[first])) first--;
    return first;
  }

  #begin(): void {
    const { acts, line } = this.#deps;
    const act = acts[this.#next] as PlannedAct;
    if (!isContinued(act)) this.#turnFrom = this.#next;
    this.#next++;
    this.#told++;
    this.#waits = false;
    const shiftMs = line.now() - act.from;
    for (const { at, event } of act.events)
      line.later(at + shiftMs, () => line.emit(shifted(event, shiftMs, this.#told)));
    this.#speaking = true;
    this.#since = act.to + shiftMs;
    line.later(this.#since, () => this.#over());
  }

  #over(): void {
    this.#speaking = false;
    const { line } = this.#deps;
    this.#spans = 0;
    if (!line.soundsAt(line.now())) this.#spanFrom = undefined;
    this.#await();
  }
}

const isContinued = (act: PlannedAct | undefined) =>
  act !== undefined && 'after' in act.anchor && act.anchor.after === 'act';
