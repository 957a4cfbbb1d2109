import { z } from 'zod';
import { DateTimeSchema } from './atoms.ts';

/** Who does what is logged. */
export const ACTORS = ['person', 'api-key', 'operator', 'token', 'nobody', 'service'] as const;

export const AuditEntrySchema = z
  .strictObject({
    seq: z.int().describe('From 1 on, without a gap.'),
    at: DateTimeSchema,
    actor: z
      .strictObject({
        type: z
          .enum(ACTORS)
          .describe('nobody: who has not proved who they are. service: the service itself.'),
        id: z.string().optional(),
        name: z.string().optional(),
      })
      .describe('With the name at that time.'),
    action: z.string().describe('The id of the operation, or what it was besides.'),
    subject: z.string().optional().describe('The id of what it was done to.'),
    outcome: z.enum(['done', 'refused']),
    address: z.string().optional(),
    requestId: z.string().optional(),
    hash: z.string().describe('SHA-256 over this entry and the hash of the one before.'),
  })
  .meta({ title: 'AuditEntry' });

export const AuditCheckSchema = z
  .strictObject({
    entries: z.int().describe('Those that are as they were written, from the first one on.'),
    fault: z
      .string()
      .optional()
      .describe('What is wrong with the next one; absent: the log is whole.'),
  })
  .meta({ title: 'AuditCheck' });

export type AuditEntry = z.output<typeof AuditEntrySchema>;
export type AuditActor = AuditEntry['actor'];
