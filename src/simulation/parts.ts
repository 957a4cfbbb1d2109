import type { Failure } from '../contract/call-journal.ts';
import type { CallCommand } from '../engine/machine/commands.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import type { WordTiming } from '../ports/tts.ts';

export type CommandOf<Type extends CallCommand['type']> = Extract<CallCommand, { type: Type }>;

/** What a model gives, `afterMs` its request. Text is cut into pieces already, as it will be spoken. */
export type ModelPart = { readonly afterMs: number } & (
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool-call';
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
      /** Why the arguments are invalid, for the model. */
      readonly problem?: string;
    }
  | { readonly type: 'done'; readonly reason: string }
  | { readonly type: 'error'; readonly error: Failure }
);

export type ToolAnswer = { readonly afterMs: number; readonly message?: string } & (
  | { readonly result: string }
  | { readonly error: string; readonly code?: string }
);

/** How a voice speaks a text. Times are ms; words count from the beginning of the sound. */
export interface SpokenText {
  /** From the request to the first sound. */
  readonly firstMs: number;
  /** From the first sound until the voice has given all of it. */
  readonly doneMs: number;
  readonly totalMs: number;
  /** Absent: this voice does not tell. */
  readonly words?: readonly WordTiming[];
  /** The voice gives only so much and then nothing more. */
  readonly stallsAfterMs?: number;
  /** The voice fails instead, after `firstMs`. */
  readonly error?: Failure;
}

export interface TimedEvent {
  readonly afterMs: number;
  readonly event: CallEvent;
}

/** The line between a simulated caller and the call. Instants are ms since the call was created. */
export interface CallerLine {
  now(): number;
  later(at: number, act: () => void): void;
  /** What voice activity, recogniser or keypad report of the caller. */
  emit(event: CallEvent): void;
  /** Whether the caller hears the assistant. */
  soundsAt(at: number): boolean;
  /** Since when the assistant is silent; undefined while it speaks or is about to. */
  quietSince(): number | undefined;
}

export interface SimulatedCaller {
  /** The call was answered. */
  answered?(): void;
  /** An utterance of the assistant begins to sound, or goes on after a hold. */
  hears?(): void;
  /** The assistant has fallen silent, or pauses. */
  hearsNothing?(): void;
  /** The recogniser is asked for its final text. */
  flush?(): void;
}

/** What the world answers to the commands of a call. A promise makes virtual time wait. */
export interface WorldParts {
  /** No parts: the model never answers. */
  readonly model: (
    request: CommandOf<'llm.start'>,
    digest: string,
  ) => readonly ModelPart[] | Promise<readonly ModelPart[]>;
  /** Undefined: the tool never answers. */
  readonly tool: (
    call: CommandOf<'tool.invoke'>,
  ) => ToolAnswer | undefined | Promise<ToolAnswer | undefined>;
  readonly voice: (text: string) => SpokenText;
  /** What follows other commands: a predictor's answer, an operator who picks up. */
  readonly others?: (command: CallCommand) => readonly TimedEvent[];
  readonly caller?: (line: CallerLine) => SimulatedCaller;
}
