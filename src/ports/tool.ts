export interface ToolInvocation {
  readonly callId: string;
  readonly toolCallId: string;
  readonly name: string;
  /** Parsed and validated arguments. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

export type ToolOutcome =
  /** If present, `message` is spoken instead of asking the model. */
  | { readonly ok: true; readonly result: string; readonly message?: string }
  | {
      readonly ok: false;
      readonly error: string;
      readonly message?: string;
      /** Set when something is broken, for the tool's owner; absent when the tool refuses by design. */
      readonly code?: string;
    };

/** Runs the tools of one call. */
export interface ToolRunner {
  /** Why a tool can't be called with these arguments, in words for the model. */
  check?(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** Never rejects. */
  invoke(invocation: ToolInvocation): Promise<ToolOutcome>;
}
