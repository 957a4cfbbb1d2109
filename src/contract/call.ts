import { z } from 'zod';

export const CallStatusSchema = z.enum(['queued', 'ongoing', 'forwarded', 'finished']);
export const PhoneCallStatusSchema = z.enum([
  'trying',
  'early-media',
  'ringing',
  'in-progress',
  'busy',
  'no-answer',
  'failed',
  'completed',
]);
export const CallTypeSchema = z.enum(['web', 'phone']);
export const CallDirectionSchema = z.enum(['inbound', 'outbound']);
export const CallEndTriggerSchema = z.enum(['user', 'assistant']);
export const MessageRoleSchema = z.enum(['user', 'assistant', 'tool', 'system']);

export type CallStatus = z.infer<typeof CallStatusSchema>;
export type PhoneCallStatus = z.infer<typeof PhoneCallStatusSchema>;
export type CallType = z.infer<typeof CallTypeSchema>;
export type CallDirection = z.infer<typeof CallDirectionSchema>;
export type CallEndTrigger = z.infer<typeof CallEndTriggerSchema>;
export type MessageRole = z.infer<typeof MessageRoleSchema>;
