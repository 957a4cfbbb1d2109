/** What the server of an assistant can be told of, each as a message of its own kind. */
export const WEBHOOK_KINDS = [
  'status-update',
  'conversation-update',
  'hang',
  'end-of-call-report',
  'error',
] as const;

export type WebhookKind = (typeof WEBHOOK_KINDS)[number];
