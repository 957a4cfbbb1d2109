import type { MessageRole } from '../contract/call.ts';
import { TRANSFER_LINES } from './transfers.ts';

/** A call that took place, as far as a test needs it. */
export interface PastCall {
  readonly id: string;
  readonly startAt: Date;
  readonly endReason: string | null;
  readonly messages: readonly { readonly role: MessageRole; readonly text: string }[];
  /** The lines of {@link PAST_LINES}, in their order. */
  readonly lines: readonly {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
}

/** The journal's lines about tools and transfers. */
export const PAST_LINES = ['tool.invoke', 'tool.result', 'tool.error', ...TRANSFER_LINES];
