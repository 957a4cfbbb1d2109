import type { EffectiveAssistant } from './apply-overrides.ts';
import type { ToolConfig } from './tool.ts';

/** A function tool as it was when the call was made. */
export interface SnapshotTool {
  readonly id: string;
  readonly config: ToolConfig;
}

/** What a call runs with, fixed when it is made: later edits and deletions change nothing of it. */
export interface CallSnapshot extends EffectiveAssistant {
  /** Every tool the assistant names. */
  readonly tools?: readonly SnapshotTool[];
  /** Where the service was reached when the call was made. */
  readonly baseUrl?: string;
}
