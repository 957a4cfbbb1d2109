export interface ToolInvocation {
  readonly callId: string;
  readonly toolCallId: string;
  readonly name: string;
  /** Parsed and checked arguments. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

export type ToolOutcome =
  /** `message`, when present, is spoken instead of asking the model. */
  | { readonly ok: true; readonly result: string; readonly message?: string }
  | { readonly ok: false; readonly error: string; readonly message?: string };

/** Runs one tool of an assistant; never rejects. */
export interface ToolRunner {
  invoke(invocation: ToolInvocation): Promise<ToolOutcome>;
}
