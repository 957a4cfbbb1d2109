import { z } from 'zod';
import { DateTimeSchema } from '../atoms.ts';
import { AuditCheckSchema, AuditEntrySchema } from '../audit.ts';
import { operation } from '../operation.ts';
import { PageQuerySchema } from './parameters.ts';

const tag = 'Audit';
const ExportQuerySchema = z.strictObject({ format: z.enum(['jsonl', 'csv']).default('jsonl') });
const AuditQuerySchema = PageQuerySchema.extend({
  actor: z.string().max(300).optional().describe('The id of a person or an API key.'),
  about: z
    .string()
    .max(300)
    .optional()
    .describe('An action, such as `deleteCall`, or the id of what something was done to.'),
  outcome: AuditEntrySchema.shape.outcome.optional(),
  startDate: DateTimeSchema.optional().describe('From this time on.'),
  endDate: DateTimeSchema.optional().describe('Until this time.'),
});
const exported = {
  status: 200,
  description:
    'All entries, oldest first. `X-Audit-Head` has the number and the hash of the last one, and whether the service has sealed them: `12:ab…:genuine` or `:forged`.',
  contentTypes: ['application/x-ndjson', 'text/csv'],
} as const;

/** Who changed, read or heard what, and when. */
export const auditOperations = {
  list: operation({
    id: 'listAudit',
    role: 'admin',
    method: 'GET',
    path: '/auth/v1/audit',
    tag,
    summary: 'List who changed, read or heard what',
    query: AuditQuerySchema,
    response: {
      status: 200,
      description: 'The entries, newest first; without `limit` the latest thousand.',
      schema: z.array(AuditEntrySchema),
    },
    paged: true,
    errors: ['invalid'],
  }),
  check: operation({
    id: 'checkAudit',
    role: 'admin',
    method: 'GET',
    path: '/auth/v1/audit/check',
    tag,
    summary: 'Check that the audit log is as it was written',
    description:
      'Reads the whole log: every entry has to follow the one before by its hash, and the last one has to be the one that the service has sealed. A check by who runs the service proves less than one by `npm run audit-log`, on another machine and against an earlier end.',
    response: { status: 200, description: 'What was found.', schema: AuditCheckSchema },
    errors: [],
  }),
  export: operation({
    id: 'exportAudit',
    role: 'admin',
    method: 'GET',
    path: '/auth/v1/audit/export',
    tag,
    summary: 'Export the whole audit log',
    query: ExportQuerySchema,
    response: exported,
    errors: ['invalid'],
  }),
} as const;

/** The same of what concerns no team. */
export const serviceAuditOperations = {
  export: operation({
    id: 'exportServiceAudit',
    role: 'operator',
    method: 'GET',
    path: '/admin/v1/audit/export',
    tag: 'Operator',
    summary: 'Export the audit log of what concerns no team',
    description:
      'What the operator did to no team, and attempts to sign in as nobody who is known.',
    query: ExportQuerySchema,
    response: exported,
    errors: ['invalid'],
  }),
} as const;
