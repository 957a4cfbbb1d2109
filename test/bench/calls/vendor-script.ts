/** What the assistant of the bench is told: its model, in `load/`, sees from it which call is talking. */
export const SYSTEM_PROMPT = 'Call {{call.id}} of ({{customer.number}}). Be brief.';

/** Audio of a reply of that model's in that voice, both pieces of it. */
export const REPLY_MS = 3200;
