/** The kinds of webhooks to the server of an assistant. */
export const WEBHOOK_KINDS = [
  'status-update',
  'conversation-update',
  'hang',
  'end-of-call-report',
  'error',
] as const;

export type WebhookKind = (typeof WEBHOOK_KINDS)[number];
