import type { EffectiveAssistant } from './apply-overrides.ts';
import type { ToolConfig } from './tool.ts';

/** A function tool at the creation of a call. */
export interface SnapshotTool {
  readonly id: string;
  readonly config: ToolConfig;
}

/** The configuration of a call, fixed at its creation: later edits and deletions do not affect it. */
export interface CallSnapshot extends EffectiveAssistant {
  /** All tools that the assistant refers to. */
  readonly tools?: readonly SnapshotTool[];
  /** Base URL of the service at the creation of the call. */
  readonly baseUrl?: string;
}
